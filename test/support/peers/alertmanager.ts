import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

/**
 * Alertmanager on a port of 127.0.0.1, which tells `webhookUrl` at once of alerts with this label `contact`, and nobody
 * of others. Stopped after the file.
 */
export async function startAlertmanager(route: { contact: string; webhookUrl: string }): Promise<{ url: string }> {
  const folder = scratchFolder('alertmanager')
  const port = await freePort()
  const path = join(folder, 'alertmanager.yml')
  const toPager = { receiver: 'pager', matchers: [`contact="${route.contact}"`] }
  const configuration = {
    route: {
      receiver: 'none',
      group_by: ['...'],
      group_wait: '0s',
      group_interval: '1s',
      repeat_interval: '1h',
      routes: [toPager],
    },
    receivers: [{ name: 'none' }, { name: 'pager', webhook_configs: [{ url: route.webhookUrl, send_resolved: true }] }],
  }
  // YAML, of which JSON is a part.
  writeFileSync(path, JSON.stringify(configuration))
  await startDaemon(
    [
      'prometheus-alertmanager',
      `--config.file=${path}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    { folder, ports: [port] },
  )
  return { url: `http://127.0.0.1:${port}` }
}
