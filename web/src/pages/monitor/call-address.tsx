import { type ReactNode, useState } from 'react'
import type { MonitorRecord } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { FormDialog } from '../../parts/dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { useChanged, useRead } from '../../workspace.tsx'
import { Choice } from './choice.tsx'
import { useMonitors } from './use-monitors.ts'

/** Where the monitor is called: a secret, so it is shown on demand once calls have come. */
export function CallAddress({ monitor, isNew }: { monitor: MonitorRecord; isNew: boolean }): ReactNode {
  const [isShown, setShown] = useState(isNew)
  const [isReplacing, setReplacing] = useState(false)
  return (
    <Section
      title="Address to call"
      lead="Whoever knows it can call: keep it like a password."
      action={
        <div className="flex gap-2">
          {!isShown && <Button onClick={() => setShown(true)}>Show</Button>}
          <Button onClick={() => setReplacing(true)}>Replace</Button>
        </div>
      }
    >
      {isShown && <Shown monitor={monitor} />}
      {isReplacing && (
        <Replace
          monitor={monitor}
          onClose={() => {
            setReplacing(false)
            setShown(true)
          }}
        />
      )}
    </Section>
  )
}

function addressKey(id: string): string {
  return `call address ${id}`
}

const examples = [
  { value: 'curl', label: 'curl' },
  { value: 'cron', label: 'cron' },
  { value: 'python', label: 'Python' },
] as const
type Example = (typeof examples)[number]['value']

function Shown({ monitor: { id, kind } }: { monitor: MonitorRecord }): ReactNode {
  const monitors = useMonitors()
  const { data: address } = useRead(addressKey(id), { read: () => monitors.readCallAddress(id) })
  const [example, setExample] = useState<Example>('curl')
  return (
    <div className="flex flex-col gap-4">
      <CopyText text={address} label="Address to call" />
      <Choice label="Example" options={examples} value={example} onChange={setExample} />
      <pre
        aria-label="How to call it"
        className="rounded-lg bg-sunken px-3 py-2.5 font-mono text-sm break-all whitespace-pre-wrap"
      >
        {exampleOf(example, address)}
      </pre>
      <p className="text-sm text-muted">
        {kind === 'webhook'
          ? 'A body in JSON may say how things stand: {"status": "up"}, "degraded" or "down".'
          : 'A call is a run that succeeded. With /start before the run its duration is measured; /fail, or its exit code, says that it failed.'}
      </p>
    </div>
  )
}

function exampleOf(example: Example, address: string): string {
  switch (example) {
    case 'curl':
      return `curl -fsS -m 10 --retry 5 --retry-connrefused '${address}'`
    case 'cron':
      return `30 2 * * * /usr/local/bin/backup.sh; curl -fsS -m 10 --retry 5 -o /dev/null "${address}/$?"`
    case 'python':
      return `import urllib.request\nurllib.request.urlopen("${address}", timeout=10)`
  }
}

function Replace({ monitor, onClose }: { monitor: MonitorRecord; onClose: () => void }): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await monitors.replaceCallAddress(monitor.id)
    await changed(addressKey(monitor.id))
    onClose()
  }
  return (
    <FormDialog title="Replace the address?" submit="Replace" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">Calls to the present one are refused from then on.</p>
    </FormDialog>
  )
}
