/** `*` matches anything within a segment, `**` anything at all. There is only one way to match, so the time is linear apart from the stars. */
export function globPattern(glob: string): RegExp {
  const source = glob
    .split(/(\*+)/)
    .map((part) => {
      if (!part.startsWith('*')) return part.replace(/[\\^$.|?+()[\]{}/-]/g, '\\$&');
      return part.length === 1 ? '[^/]*' : '.*';
    })
    .join('');
  return new RegExp(`^${source}$`, 's');
}
