/** The shells that have completions, and the file name that each expects in its folder of completions. */
export const scriptFiles = {
  bash: 'iiot.bash',
  zsh: '_iiot',
  fish: 'iiot.fish',
  powershell: 'iiot.ps1',
} as const;

export type Shell = keyof typeof scriptFiles;
