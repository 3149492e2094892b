/** Runs before the tests for Windows: makes a Wine installation, and removes it afterwards. */
import { openWine, wineFiles } from '../../build/wine.ts';

export default function setup(): Promise<() => Promise<void>> {
  const folder = process.env.IIOT_TEST_WINE_FOLDER;
  if (folder === undefined) throw new Error('test/config/windows.ts names the folder.');
  return openWine(wineFiles(folder));
}
