/** Each exit code for a status of the platform, through the built program; test/contract/error-table.test.ts has every row of the interface. */
import { expect, it } from 'vitest';
import { homeForEach } from '../support/home.ts';

const home = homeForEach();

it('an exit code tells a script which error it was', async () => {
  const batch = "iiot batches create --enabled --run-on-startup --cron '0 0 2 * * ?' --name Twice";
  const lines = [
    batch,
    'iiot orgs users list --page-size 0',
    'IIOT_TOKEN=x iiot orgs users list',
    'iiot orgs delete 11111111-1111-4111-8111-111111111111 --org-name Factory',
    'iiot devices custom-info set press-9999 a=1',
    batch,
    "iiot templates update template_001 --content 'Hot: {{name'",
    'iiot channels update channel_unreachable --disabled',
  ];
  const script = lines.map((line) => `${line} >out 2>&1; printf "$? "`).join('\n');
  const { stdout } = await home.iiot(['sandbox', 'exec', '--users', '5', '--', 'sh', '-c', script]);
  expect(stdout).toBe('0 2 3 4 5 6 7 8 ');
});
