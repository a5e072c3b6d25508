import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { type AlertEvent, alertEvents, monitorEvents, namedEvents } from '#core/contacts/alert-events.ts'
import type { ContactRules, MonitorRules } from '#core/contacts/alert-rules.ts'
import { TextField } from './field.tsx'
import { FlappingField, flappingFields, flappingText, readFlapping } from './flapping-field.tsx'
import { useField } from './form.tsx'
import { listed, weekdayNames } from '../language.ts'
import { CheckField, Fieldset } from '../schema/fieldset.tsx'
import { numberOf, textOf } from '../schema/read.ts'
import { ZoneField, ownZone } from './zone-field.tsx'

const field = 'alert_rules'
const quiet = `${field}.quiet_hours`

const eventWords: Readonly<Record<AlertEvent, MessageDescriptor>> = {
  down: msg`outages`,
  up: msg`recoveries`,
  degraded: msg`degraded rounds, if the monitor alerts about them`,
  slow: msg`slow responses, if the monitor alerts about them`,
  expiry: msg`domains and certificates that expire`,
  findings: msg`vulnerabilities and software without support`,
  maintenance: msg`the start and end of planned maintenance`,
  slo: msg`error budgets of service level objectives, if they alert`,
}

/** Those of a contact, or of a monitor: each has members that the other has not. */
type Rules = Omit<ContactRules & MonitorRules, 'events'> & { events?: ContactRules['events'] }

/** `without` is not offered: the kind of the contact is not told of it. */
type FieldsProps = { held: Rules | null; of: 'contact' | 'monitor'; without?: AlertEvent }

/** Which alerts are sent and when, folded away while nothing is chosen. */
export function AlertRulesFields({ held, of, ...rest }: FieldsProps): ReactNode {
  const [isOpen, setOpen] = useState(isAnyChosen(held))
  const isBlamed = useIsBlamed()
  return (
    <details open={isOpen || isBlamed} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm font-medium">
        <Trans>Which alerts, and when</Trans>
      </summary>
      <div className="mt-3 flex flex-col gap-4">
        <Events held={held} of={of} {...rest} />
        <TextField
          name={`${field}.after_minutes`}
          label={t`Alert about an outage once it has lasted (minutes)`}
          hint={t`An outage that ends before then is not reported. Empty: at once.`}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={held?.after_minutes === undefined ? '' : String(held.after_minutes)}
        />
        <TextField
          name={`${field}.remind_every_minutes`}
          label={t`Remind of an outage every (minutes)`}
          hint={t`Until it ends or someone acknowledges it. Empty: never.`}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={held?.remind_every_minutes === undefined ? '' : String(held.remind_every_minutes)}
        />
        <QuietHours held={held} />
        {of === 'monitor' && <FlappingField held={held?.flapping} />}
        {of === 'monitor' && (
          <CheckField
            name={`${field}.critical`}
            label={t`Critical`}
            hint={t`Its alerts are sent at once, even in quiet hours, and are never grouped.`}
            defaultChecked={held?.critical === true}
          />
        )}
      </div>
    </details>
  )
}

/** Stands beside the rules, and is not folded away: whoever adds a contact sees what is proposed for it. */
export function AcknowledgeLinkField({ isChosen }: { isChosen: boolean }): ReactNode {
  return (
    <CheckField
      name={`${field}.acknowledge_link`}
      label={t`Link to acknowledge`}
      hint={t`In alerts of an outage. Anyone who can read them can use it, without signing in.`}
      defaultChecked={isChosen}
    />
  )
}

/** As `AcknowledgeLinkField`. `seconds`: how long alerts to its kind wait for each other. */
export function BundleField({ isChosen, seconds }: { isChosen: boolean; seconds: number }): ReactNode {
  return (
    <CheckField
      name={`${field}.bundle`}
      label={t`Several alerts as one message`}
      hint={t`The first one is sent at once. Others of the next ${seconds} seconds follow together.`}
      defaultChecked={isChosen}
    />
  )
}

/** Rules that have a field beside those that are folded away. */
const shownRules = new Set(['acknowledge_link', 'bundle'])

function isAnyChosen(held: Rules | null): boolean {
  return held !== null && Object.keys(held).some((name) => !shownRules.has(name))
}

function useIsBlamed(): boolean {
  const problems = [
    useField(field),
    useField(`${field}.events`),
    useField(`${field}.after_minutes`),
    useField(`${field}.remind_every_minutes`),
    useField(`${quiet}.time_zone`),
    useField(`${quiet}.from`),
    useField(`${quiet}.to`),
    useField(`${quiet}.weekdays`),
    useField(flappingFields[0]),
    useField(flappingFields[1]),
  ]
  return problems.some(({ problem }) => problem !== null)
}

function choicesOf(of: FieldsProps['of']): readonly AlertEvent[] {
  return of === 'monitor' ? monitorEvents : alertEvents
}

/** What is told where no events are chosen. */
function usualEventsOf(of: FieldsProps['of']): readonly AlertEvent[] {
  return of === 'monitor' ? monitorEvents : alertEvents.filter((event) => !namedEvents.includes(event))
}

function Events({ held, of, without }: FieldsProps): ReactNode {
  const chosen = held?.events ?? usualEventsOf(of)
  const choices = choicesOf(of).filter((event) => event !== without)
  return (
    <Fieldset name={`${field}.events`} legend={t`Alert about`}>
      {choices.map((event) => (
        <CheckField
          key={event}
          name={`${field}.events`}
          value={event}
          label={i18n._(eventWords[event])}
          defaultChecked={chosen.includes(event)}
        />
      ))}
    </Fieldset>
  )
}

function QuietHours({ held }: { held: Rules | null }): ReactNode {
  const hours = held?.quiet_hours
  const [isOn, setOn] = useState(hours !== undefined)
  const [zone, setZone] = useState(hours?.time_zone ?? ownZone())
  return (
    <>
      <CheckField
        name={quiet}
        label={t`Quiet hours`}
        hint={t`Alerts wait until they end. An outage that ends meanwhile is not reported.`}
        defaultChecked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      {isOn && (
        <div className="flex flex-col gap-4 border-l border-line pl-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField name={`${quiet}.from`} label={t`Quiet from`} type="time" defaultValue={hours?.from ?? '22:00'} />
            <TextField name={`${quiet}.to`} label={t`Quiet until`} type="time" defaultValue={hours?.to ?? '07:00'} />
          </div>
          <ZoneField name={`${quiet}.time_zone`} label={t`Time zone`} value={zone} onChange={setZone} />
          <Fieldset name={`${quiet}.weekdays`} legend={t`They start on`}>
            <div className="flex flex-wrap gap-x-4">
              {weekdayNames().map(({ value, name }) => (
                <CheckField
                  key={value}
                  name={`${quiet}.weekdays`}
                  value={String(value)}
                  label={name}
                  defaultChecked={hours?.weekdays?.includes(value) ?? true}
                />
              ))}
            </div>
          </Fieldset>
        </div>
      )}
    </>
  )
}

/** What the fields say; null where they choose nothing. What they say wrong, the service refuses. */
export function readAlertRules(sent: FormData, of: FieldsProps['of']): Record<string, unknown> | null {
  const events = sent.getAll(`${field}.events`)
  const usual = usualEventsOf(of)
  const isUsual = events.length === usual.length && usual.every((event) => events.includes(event))
  const minutes = textOf(sent, `${field}.after_minutes`).trim()
  const reminding = textOf(sent, `${field}.remind_every_minutes`).trim()
  const rules = {
    ...(isUsual ? {} : { events }),
    ...(minutes === '' ? {} : { after_minutes: numberOf(minutes) }),
    ...(reminding === '' ? {} : { remind_every_minutes: numberOf(reminding) }),
    ...(sent.has(quiet) ? { quiet_hours: readQuietHours(sent) } : {}),
    ...(sent.has(`${field}.critical`) ? { critical: true } : {}),
    ...readFlapping(sent),
    ...(sent.has(`${field}.acknowledge_link`) ? { acknowledge_link: true } : {}),
    ...(sent.has(`${field}.bundle`) ? { bundle: true } : {}),
  }
  return Object.keys(rules).length === 0 ? null : rules
}

function readQuietHours(sent: FormData): Record<string, unknown> {
  const weekdays = sent.getAll(`${quiet}.weekdays`).map(Number)
  return {
    time_zone: textOf(sent, `${quiet}.time_zone`).trim(),
    from: textOf(sent, `${quiet}.from`),
    to: textOf(sent, `${quiet}.to`),
    ...(weekdays.length === 7 ? {} : { weekdays }),
  }
}

/** The rules in words, one line each. */
export function alertRulesText(rules: Rules): string[] {
  const { events, after_minutes: minutes = 0, remind_every_minutes: reminding, quiet_hours: hours } = rules
  return [
    ...(events === undefined ? [] : [toldText(events)]),
    ...(minutes === 0 ? [] : [t`outages once they have lasted ${minutes} min`]),
    ...(reminding === undefined ? [] : [t`reminded every ${reminding} min`]),
    ...(hours === undefined ? [] : [quietText(hours)]),
    ...(rules.flapping === undefined ? [] : [flappingText(rules.flapping)]),
    ...(rules.critical === true ? [t`critical: at any hour`] : []),
    ...(rules.acknowledge_link === true ? [t`with a link to acknowledge`] : []),
    ...(rules.bundle === true ? [t`several at once as one message`] : []),
  ]
}

function toldText(events: readonly AlertEvent[]): string {
  if (alertEvents.every((event) => events.includes(event))) return t`everything, including planned maintenance`
  const words = listed(events.map((event) => i18n._(eventWords[event])))
  return t`only ${words}`
}

function quietText({ time_zone: zone, from, to, weekdays }: NonNullable<MonitorRules['quiet_hours']>): string {
  if (weekdays === undefined) return t`quiet from ${from} to ${to} (${zone})`
  const days = listed(weekdayNames().flatMap(({ value, name }) => (weekdays.includes(value) ? [name] : [])))
  return t`quiet from ${from} to ${to} (${zone}) on ${days}`
}
