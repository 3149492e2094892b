/** Run before the build: says what to type where npm has left out what it needs. */
import('rolldown').catch(({ message }) => {
  const [reason] = message.split(/\n|\. /);
  console.error(`error: The tools that build iiot are not installed (${reason})`);
  console.error('hint: Run: npm ci --include=dev --include=optional');
  process.exitCode = 1;
});
