/** The pattern of a glob: `*` matches anything within a segment, `**` anything at all. */
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
