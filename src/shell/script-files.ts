/** The shells that have completions, and the name of the file by which each finds them in a folder of such files. */
export const scriptFiles = {
  bash: 'iiot.bash',
  zsh: '_iiot',
  fish: 'iiot.fish',
  powershell: 'iiot.ps1',
} as const;

export type Shell = keyof typeof scriptFiles;
