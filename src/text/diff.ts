/** What is used of the package that compares texts and lists. Load this file only when something is compared. */
export { createTwoFilesPatch, diffArrays } from 'diff';
