import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../button.tsx'
import { isCount, listOf } from '../drafts/draft-shape.ts'
import { useDraftPart } from '../drafts/draft-parts.ts'
import { Fieldset, inputClass } from './fieldset.tsx'
import { type SecretChoice, choiceName } from './read.ts'

type ListProps = { name: string; legend: string; hint?: string | undefined; most: number }

const areKeys = listOf(isCount)

type RowsOf = { name: string; first: number; most: number; isSecret?: boolean }

/** Rows that come and go: each keeps its key, and so what was typed into it. Those of secrets are in no draft. */
function useRows({ name, first, most, isSecret = false }: RowsOf): {
  keys: readonly number[]
  add: () => void
  drop: (key: number) => void
} {
  const [keys, setKeys] = useState<readonly number[]>(() => Array.from({ length: first }, (_, index) => index))
  const restore = (value: unknown): void => {
    if (areKeys(value) && value.length <= most && new Set(value).size === value.length) setKeys(value)
  }
  useDraftPart(name, isSecret ? null : { value: keys, restore })
  return {
    keys,
    add: () => setKeys([...keys, Math.max(-1, ...keys) + 1]),
    drop: (key) => setKeys(keys.filter((each) => each !== key)),
  }
}

/** Texts, one a row. */
export function TextList({ initial, most, ...field }: ListProps & { initial: readonly string[] }): ReactNode {
  const { keys, add, drop } = useRows({ name: field.name, first: initial.length, most })
  const { legend } = field
  return (
    <Fieldset {...field}>
      {keys.map((key, index) => (
        <div key={key} className="flex gap-2">
          <input
            name={`${field.name}.${index}`}
            aria-label={t`${legend}, ${{ position: index + 1 }}`}
            defaultValue={initial[key]}
            className={inputClass}
          />
          <Button look="quiet" aria-label={t`Remove ${legend}, ${{ position: index + 1 }}`} onClick={() => drop(key)}>
            <Trans>Remove</Trans>
          </Button>
        </div>
      ))}
      {keys.length < most && <AddButton onClick={add} label={t`Add to ${legend}`} />}
    </Fieldset>
  )
}

type PairsProps = ListProps & {
  initial: readonly (readonly [string, string])[]
  /** They are there and never shown: kept, unless they are replaced. */
  isKept: boolean
  /** What is typed into it is in no draft. */
  isSecret?: boolean
}

/** Names and values, such as headers. */
export function PairList({ initial, isKept, ...list }: PairsProps): ReactNode {
  const [choice, setChoice] = useState<SecretChoice>('keep')
  if (!isKept) return <Pairs {...list} initial={initial} />
  return (
    <>
      <SecretChoiceField name={list.name} label={list.legend} choice={choice} onChoose={setChoice} />
      {choice === 'replace' && <Pairs {...list} initial={[['', '']]} />}
    </>
  )
}

function Pairs({ initial, most, isSecret = false, ...field }: Omit<PairsProps, 'isKept'>): ReactNode {
  const { keys, add, drop } = useRows({ name: field.name, first: initial.length, most, isSecret })
  const { legend } = field
  return (
    <Fieldset {...field}>
      {keys.map((key, index) => (
        <div key={key} data-secret={isSecret ? '' : undefined} className="flex gap-2 max-sm:flex-wrap">
          <input
            name={`${field.name}.names`}
            aria-label={t`Name ${{ position: index + 1 }} of ${legend}`}
            placeholder={t`Name`}
            defaultValue={initial[key]?.[0]}
            autoComplete="off"
            spellCheck={false}
            className={`${inputClass} sm:max-w-44`}
          />
          <input
            name={`${field.name}.values`}
            aria-label={t`Value ${{ position: index + 1 }} of ${legend}`}
            placeholder={t`Value`}
            defaultValue={initial[key]?.[1]}
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
          <Button look="quiet" aria-label={t`Remove ${{ position: index + 1 }} of ${legend}`} onClick={() => drop(key)}>
            <Trans>Remove</Trans>
          </Button>
        </div>
      ))}
      {keys.length < most && <AddButton onClick={add} label={t`Add to ${legend}`} />}
    </Fieldset>
  )
}

type ObjectsProps = ListProps & {
  first: number
  least: number
  /** `key` is the place it had at first. */
  renderRow: (name: string, key: number) => ReactNode
}

/** Several of the same, in their order, such as steps. */
export function ObjectList({ first, least, most, renderRow, ...field }: ObjectsProps): ReactNode {
  const { keys, add, drop } = useRows({ name: field.name, first: Math.max(first, least), most })
  const { legend } = field
  return (
    <Fieldset {...field}>
      <ol className="flex flex-col gap-3">
        {keys.map((key, index) => (
          <li key={key} className="rounded-xl border border-line p-4">
            <div className="mb-3 flex items-center justify-between">
              <span className="font-medium">{index + 1}.</span>
              {keys.length > least && (
                <Button
                  look="quiet"
                  aria-label={t`Remove ${{ position: index + 1 }} of ${legend}`}
                  onClick={() => drop(key)}
                >
                  <Trans>Remove</Trans>
                </Button>
              )}
            </div>
            <div className="flex flex-col gap-4">{renderRow(`${field.name}.${index}`, key)}</div>
          </li>
        ))}
      </ol>
      {keys.length < most && <AddButton onClick={add} label={t`Add to ${legend}`} />}
    </Fieldset>
  )
}

function AddButton({ onClick, label }: { onClick: () => void; label: string }): ReactNode {
  return (
    <div>
      <Button onClick={onClick} aria-label={label}>
        <Trans>Add</Trans>
      </Button>
    </div>
  )
}

const choices: readonly { value: SecretChoice; label: MessageDescriptor }[] = [
  { value: 'keep', label: msg`Unchanged` },
  { value: 'replace', label: msg`Replace` },
  { value: 'remove', label: msg({ message: 'None', context: 'of a secret' }) },
]

type ChoiceProps = { name: string; label: string; choice: SecretChoice; onChoose: (choice: SecretChoice) => void }

/** Whether a stored secret stays, is replaced or is removed. */
export function SecretChoiceField({ name, label, choice, onChoose }: ChoiceProps): ReactNode {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        name={choiceName(name)}
        value={choice}
        onChange={({ target }) => onChoose(choices.find(({ value }) => value === target.value)?.value ?? 'keep')}
        className={inputClass}
      >
        {choices.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {i18n._(words)}
          </option>
        ))}
      </select>
      <p className="text-sm text-muted">
        <Trans>Kept encrypted, and never shown again.</Trans>
      </p>
    </div>
  )
}
