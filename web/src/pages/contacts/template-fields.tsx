import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { findingFields, templateFields } from '#core/contacts/template-fields.ts'

type FieldsProps = { onInsert: (text: string) => void }

const members = findingFields.map(({ name }) => name).join(', ')

/** Every field that a template may name; a press puts one at the cursor. */
export function TemplateFields({ onInsert }: FieldsProps): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <h3 id={id} className="text-sm font-medium">
        <Trans>Fields</Trans>
      </h3>
      <ul className="max-h-80 overflow-y-auto rounded-lg border border-line p-1">
        {templateFields.map(({ name, type, about }) => (
          <li key={name} className="px-1 py-1 text-sm">
            <button
              type="button"
              aria-label={t`Insert ${name}`}
              aria-describedby={`${id}-${name}`}
              // The cursor stays where it is.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onInsert(textOf(name, type))}
              className="rounded-md px-1 font-mono text-accent-text wrap-anywhere hover:underline"
            >
              {name}
            </button>{' '}
            <span className="text-muted">{type}</span>
            <span id={`${id}-${name}`} className="block px-1 text-muted">
              {about.replaceAll('`', '')}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted wrap-anywhere">
        <Trans>A finding has {members}.</Trans>
      </p>
    </section>
  )
}

function textOf(name: string, type: string): string {
  if (name === 'findings') return '{% for finding in findings %}{{ finding.summary }}\n{% endfor %}'
  return type === 'list' ? `{{ ${name} | join: ", " }}` : `{{ ${name} }}`
}
