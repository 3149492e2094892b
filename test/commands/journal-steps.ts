/** The steps in a journal of rows, each row by its number, and by its mark where it was never sent: "sent 2", "unknown 2 500", "done 2". */
export function stepsIn(journal: string): string[] {
  const lines = journal
    .split('\n')
    .slice(1, -1)
    .filter((line) => !line.startsWith('run '));
  const sent = lines.map((line) => /^sent (\S+) (\d+) /.exec(line) ?? []);
  const numbers = new Map(sent.map(([, mark = '', number = '']) => [mark, number]));
  const nameOf = (mark: string) => numbers.get(mark) ?? mark;
  return lines.map((line) => {
    const [step = '', mark, ...more] = line.split(' ');
    if (mark === undefined) return step === 'ended' ? step : `done ${nameOf(step)}`;
    return [step, nameOf(mark), ...(step === 'sent' ? [] : more)].join(' ');
  });
}
