/** The functions that are used of the package `diff`. To be loaded only when something is compared. */
export { createTwoFilesPatch, diffArrays } from 'diff';
