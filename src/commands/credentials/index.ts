import { createCommand } from './create.ts';
import { deleteCredentialCommand } from './delete.ts';
import { listCommand } from './list.ts';
import { rotateCommand } from './rotate.ts';

export const commands = [createCommand, listCommand, deleteCredentialCommand, rotateCommand];
