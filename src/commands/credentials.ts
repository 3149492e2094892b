import { createCommand } from './credentials-create.ts';
import { deleteCommand } from './credentials-delete.ts';
import { listCommand } from './credentials-list.ts';
import { rotateCommand } from './credentials-rotate.ts';

export const commands = [createCommand, listCommand, deleteCommand, rotateCommand];
