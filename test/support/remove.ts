import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Removes a folder, the closed folders in it too: only root may empty those as they are. */
export function removeAll(folder: string): void {
  spawnSync('chmod', ['-R', 'u+rwX', folder]);
  rmSync(folder, { recursive: true, force: true });
}
