/** Loads the package that compares texts and lists. */
export async function loadDiff() {
  const { createTwoFilesPatch, diffArrays } = await import('diff');
  return { createTwoFilesPatch, diffArrays };
}
