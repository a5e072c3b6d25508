import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { KindName, MonitorRecord } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { Time } from '../../parts/time.tsx'
import { Choice } from './choice.tsx'
import { RhythmProposed } from './rhythm-proposed.tsx'
import { scheduleText } from './schedule-words.ts'
import { useMonitors } from '../../session/use-monitors.ts'

/** The address at which the monitor is called. It is a secret, so once calls have come it is shown on demand only. */
export function CallAddress({ monitor, isNew }: { monitor: MonitorRecord; isNew: boolean }): ReactNode {
  const [isShown, setShown] = useState(isNew)
  const [isReplacing, setReplacing] = useState(false)
  return (
    <Section
      title={t`Address to call`}
      lead={t`Anyone who knows it can call it. Keep it like a password.`}
      action={
        <div className="flex gap-2">
          {!isShown && (
            <Button onClick={() => setShown(true)}>
              <Trans>Show</Trans>
            </Button>
          )}
          <Button onClick={() => setReplacing(true)}>
            <Trans>Replace</Trans>
          </Button>
        </div>
      }
    >
      {isShown && (
        <Awaited fallback={<Waiting />}>
          <Shown monitor={monitor} />
        </Awaited>
      )}
      {monitor.kind === 'heartbeat' && !('schedule' in monitor.check_options) && (
        <Awaited fallback={null}>
          <RhythmProposed monitor={monitor} />
        </Awaited>
      )}
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

/** When calls of a schedule are expected, and the next one. */
export function CallRhythm({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { check_options: options, next_check_at: missedAt, heartbeat_grace_seconds: grace } = monitor
  const text = scheduleText(options)
  if (missedAt === null) return text
  const dueAt = new Date(Date.parse(missedAt) - (grace ?? 0) * 1000).toISOString()
  return (
    <Trans>
      {text}, next <Time at={dueAt} />
    </Trans>
  )
}

function addressKey(id: string): string {
  return `call address ${id}`
}

const examples = ['curl', 'cron', 'Python'] as const
type Example = (typeof examples)[number]
const exampleOptions = examples.map((value) => ({ value, label: value }))

const exampleBody = '{"status": "up"}'

function Shown({ monitor: { id, kind } }: { monitor: MonitorRecord }): ReactNode {
  const monitors = useMonitors()
  const { data: address } = useRead(addressKey(id), { read: () => monitors.readCallAddress(id) })
  const [example, setExample] = useState<Example>('curl')
  return (
    <div className="flex flex-col gap-4">
      <CopyText text={address} label={t`Address to call`} />
      <Choice label={t`Example`} options={exampleOptions} value={example} onChange={setExample} />
      <pre
        aria-label={t`How to call it`}
        className="rounded-lg bg-sunken px-3 py-2.5 font-mono text-sm break-all whitespace-pre-wrap"
      >
        {exampleOf(example, kind === 'push_metric' ? `${address}?value=12.5` : address, kind)}
      </pre>
      <p className="text-sm text-muted">{hintOf(kind)}</p>
    </div>
  )
}

function hintOf(kind: KindName): string {
  if (kind === 'webhook') return t`A JSON body can report the state: ${exampleBody}, "degraded" or "down".`
  if (kind === 'push_metric') return t`Each call tells a number, here 12.5. A call of /fail reports that there is none.`
  return t`A call reports a run that succeeded. A call of /start before the run measures its duration; /fail, or the exit code, reports that it failed.`
}

function exampleOf(example: Example, address: string, kind: KindName): string {
  switch (example) {
    case 'curl':
      return `curl -fsS -m 10 --retry 5 --retry-connrefused '${address}'`
    case 'cron':
      if (kind === 'push_metric') return `*/5 * * * * curl -fsS -m 10 --retry 5 -o /dev/null "${address}"`
      return `30 2 * * * /usr/local/bin/backup.sh; curl -fsS -m 10 --retry 5 -o /dev/null "${address}/$?"`
    case 'Python':
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
    <FormDialog title={t`Replace the address?`} submit={t`Replace`} look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Calls to the current address are refused from then on.</Trans>
      </p>
    </FormDialog>
  )
}
