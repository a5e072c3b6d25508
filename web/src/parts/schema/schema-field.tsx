import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { AreaField, PasswordField, SelectField, TextField } from '../form/field.tsx'
import { isRecord } from './check.ts'
import { CheckField } from './fieldset.tsx'
import { ObjectList, PairList, SecretChoiceField, TextList } from './lists.tsx'
import type { SecretChoice } from './read.ts'
import { isStatusMember, leadsStatuses } from './status-codes.ts'
import { StatusField } from './status-field.tsx'
import { type Schema, choiceLabel, defaultOf, hintOf, isNullable, isOf, shapeOf } from '../../api/schema.ts'
import { defaultText, optionWords } from './option-words.ts'

export type SchemaFieldProps = {
  schema: Schema
  /** The name that the service uses in its refusals, such as `check_options.packets`. */
  name: string
  /** The stored value; undefined for a new one, which begins with its default. */
  initial?: unknown
  /** Something is there already: secrets of it are kept. */
  isKept: boolean
  isRequired?: boolean
  /** In place of what its name and its schema say; an empty hint is none. */
  label?: string | undefined
  hint?: string | undefined
  placeholder?: string | undefined
}

/** The field for a value, as its schema describes it. */
export function SchemaField(props: SchemaFieldProps): ReactNode {
  const { schema, name, isKept, initial = isKept ? undefined : defaultOf(schema) } = props
  const placeholder = props.placeholder ?? defaultText(schema)
  const own = optionWords(name)
  const { label, unit } = own
  const hint = props.hint === '' ? undefined : (props.hint ?? own.hint ?? hintOf(schema))
  const words = { name, label: props.label ?? (unit === null ? label : `${label} (${unit})`), ...told(hint) }
  const text = scalarText(initial)
  const bounds = { most: schema.maxItems ?? 100, legend: words.label, hint, name }
  switch (shapeOf(schema)) {
    case 'text':
      if (schema.writeOnly === true) return <SecretField {...words} isKept={isKept} />
      return <TextField {...words} {...required(props)} {...toldPlace(placeholder)} defaultValue={text} {...plain} />
    case 'lines':
      return <AreaField {...words} {...secretWhereSent(name)} defaultValue={text} rows={4} />
    case 'number':
      return (
        <TextField
          {...words}
          {...required(props)}
          {...toldPlace(placeholder)}
          defaultValue={text}
          inputMode="numeric"
          autoComplete="off"
        />
      )
    case 'flag':
      return <CheckField name={name} label={words.label} hint={hint} defaultChecked={initial === true} />
    case 'choice':
      return <ChoiceField {...words} schema={schema} initial={text} />
    case 'json':
      if (isOf(schema, 'object')) return <AreaField {...words} defaultValue={indented(initial)} rows={6} {...plain} />
      return <TextField {...words} defaultValue={initial === undefined ? '' : JSON.stringify(initial)} {...plain} />
    case 'texts':
      return <TextList {...bounds} initial={Array.isArray(initial) ? initial.map(String) : []} />
    case 'pairs':
      return <PairList {...bounds} {...secrecyOf(props)} initial={pairsOf(initial)} />
    case 'objects':
      return <Objects {...bounds} schema={schema} initial={initial} />
  }
}

function secrecyOf({ schema, isKept }: SchemaFieldProps): { isKept: boolean; isSecret: boolean } {
  const isSecret = schema.writeOnly === true
  return { isKept: isKept && isSecret, isSecret }
}

/** Bodies may hold passwords: the service seals them, and no draft keeps them. */
function secretWhereSent(name: string): { 'data-secret'?: '' } {
  return /(?:^|[._])body$/.test(name) ? { 'data-secret': '' } : {}
}

function indented(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

const plain = { autoComplete: 'off', spellCheck: false } as const

type Bounds = { most: number; legend: string; hint: string | undefined; name: string }

function Objects({ schema, initial, ...bounds }: Bounds & { schema: Schema; initial: unknown }): ReactNode {
  const { items = {}, minItems: least = 0 } = schema
  const held: unknown[] = Array.isArray(initial) ? initial : []
  const row = (name: string, key: number): ReactNode => (
    <Folded schema={items} name={name} initial={held[key]} isKept={key < held.length} />
  )
  return <ObjectList {...bounds} first={held.length} least={least} renderRow={row} />
}

/** Shows the first few members of a large object; the rest unfolds. A small one is shown whole. */
function Folded({ schema, ...props }: FieldsProps): ReactNode {
  const members = Object.entries(schema.properties ?? {})
  const first = members.filter(([name]) => leading.has(name))
  const rest = members.filter(([name]) => !leading.has(name))
  if (first.length === 0) return <SchemaFields {...props} schema={schema} />
  const part = (own: typeof members): Schema => ({ ...schema, properties: Object.fromEntries(own) })
  return (
    <>
      <SchemaFields {...props} schema={part(first)} />
      <details>
        <summary className="text-sm text-muted">
          <Trans>More</Trans>
        </summary>
        <div className="mt-4 flex flex-col gap-4">
          <SchemaFields {...props} schema={part(rest)} />
        </div>
      </details>
    </>
  )
}

const leading: ReadonlySet<string> = new Set(['url', 'method', 'keyword'])

type FieldsProps = { schema: Schema; name: string; initial: unknown; isKept: boolean }

/** A field for each member of an object. */
function SchemaFields({ schema, name, initial, isKept }: FieldsProps): ReactNode {
  const held = isRecord(initial) ? initial : {}
  return Object.entries(schema.properties ?? {}).map(([member, each]) => {
    const own = `${name}.${member}`
    if (leadsStatuses(member)) {
      const { expected_status_min: min, expected_status_max: max, expected_statuses: list } = held
      return (
        <StatusField key={member} name={own} min={min} max={max} list={list} placeholder={t`As for the other steps`} />
      )
    }
    if (isStatusMember(member)) return null
    return (
      <SchemaField
        key={member}
        schema={each}
        name={own}
        initial={held[member]}
        isKept={isKept}
        isRequired={schema.required?.includes(member) ?? false}
      />
    )
  })
}

type Words = { name: string; label: string; hint?: string }

function ChoiceField({ schema, initial, ...words }: Words & { schema: Schema; initial: string }): ReactNode {
  const values = (schema.enum ?? []).filter((value) => value !== null)
  const options = values.map((value) => ({ value, label: choiceLabel(value) }))
  const none = defaultOf(schema) === undefined || isNullable(schema) ? [{ value: '', label: t`Default` }] : []
  return <SelectField {...words} defaultValue={initial} options={[...none, ...options]} />
}

/** One that is there stays, unless another one is typed. */
function SecretField({ isKept, ...words }: Words & { isKept: boolean }): ReactNode {
  const [choice, setChoice] = useState<SecretChoice>('keep')
  const { label } = words
  const field = <PasswordField {...words} autoComplete="off" />
  if (!isKept) return field
  return (
    <>
      <SecretChoiceField name={words.name} label={words.label} choice={choice} onChoose={setChoice} />
      {choice === 'replace' && <PasswordField {...words} label={t`New ${label}`} autoComplete="off" />}
    </>
  )
}

function told(hint: string | undefined): { hint?: string } {
  return hint === undefined ? {} : { hint }
}

function toldPlace(placeholder: string | undefined): { placeholder?: string } {
  return placeholder === undefined ? {} : { placeholder }
}

function required({ isRequired = false }: SchemaFieldProps): { 'aria-required'?: true } {
  return isRequired ? { 'aria-required': true } : {}
}

function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function pairsOf(value: unknown): [string, string][] {
  return isRecord(value) ? Object.entries(value).map(([name, each]) => [name, String(each)]) : []
}
