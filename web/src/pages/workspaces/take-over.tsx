import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { WorkspaceContentsRecord } from '../../api/money.ts'
import { useMoney } from '../../session/use-money.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { PasswordField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Arrival } from '../../parts/arrival.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { contentsOf } from '../../parts/workspace-contents.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { ForOwners } from './for-owners.tsx'

export function TakeOverPage(): ReactNode {
  const { workspace } = useWorkspace()
  return (
    <ForOwners title={t`Take over`}>
      <PageHead
        title={t`Take over`}
        lead={t`Monitors can be paid for without an account. Their workspace then opens only with a key. With that key you can move it here.`}
      />
      <TakeOver key={workspace.id} />
    </ForOwners>
  )
}

type Step =
  | { at: 'key' }
  | { at: 'contents'; key: string; contents: WorkspaceContentsRecord }
  | { at: 'done'; contents: WorkspaceContentsRecord }

function TakeOver(): ReactNode {
  const [step, setStep] = useState<Step>({ at: 'key' })
  const restart = (): void => setStep({ at: 'key' })
  switch (step.at) {
    case 'key':
      return <AskKey onFound={(key, contents) => setStep({ at: 'contents', key, contents })} />
    case 'contents':
      return (
        <Confirm
          key={step.key}
          apiKey={step.key}
          contents={step.contents}
          onDone={(contents) => setStep({ at: 'done', contents })}
          onCancel={restart}
        />
      )
    case 'done':
      return <Done contents={step.contents} onAnother={restart} />
  }
}

function AskKey({ onFound }: { onFound: (key: string, contents: WorkspaceContentsRecord) => void }): ReactNode {
  const money = useMoney()
  const submit = async (key: string): Promise<void> => onFound(key, await money.viewTakeover(key))
  return (
    <Section
      title={t`Its key`}
      lead={t`It was shown once, when the first monitor was paid for, and begins with pgk_. You see what it opens before anything moves.`}
    >
      <Form submit={t`Check the key`} unsaved={false} onSubmit={(value) => submit(value('api_key'))}>
        <PasswordField name="api_key" label={t`API key`} autoComplete="off" spellCheck={false} />
      </Form>
    </Section>
  )
}

type ConfirmProps = {
  apiKey: string
  contents: WorkspaceContentsRecord
  onDone: (contents: WorkspaceContentsRecord) => void
  onCancel: () => void
}

function Confirm({ apiKey, contents, onDone, onCancel }: ConfirmProps): ReactNode {
  const { workspace } = useWorkspace()
  const [moving, here] = [contents.name, workspace.name]
  const money = useMoney()
  const client = useQueryClient()
  const submit = async (): Promise<void> => {
    const moved = await money.takeOver(apiKey)
    await client.invalidateQueries({ queryKey: ['workspace', workspace.id] })
    onDone(moved)
  }
  return (
    <Arrival>
      <Section title={t`Move ${moving} into ${here}?`}>
        <div className="flex flex-col gap-4">
          <Facts>
            <Fact term={t`It brings`}>{contentsOf(contents)}</Fact>
            <Fact term={t`Moves with it`}>
              <Trans>history, alerts, payments with their receipts</Trans>
            </Fact>
            <Fact term={t`Its key`}>
              <Trans>keeps working, and appears among the API tokens here</Trans>
            </Fact>
            <Fact term={t`Its agents`}>
              <Trans>are disconnected</Trans>
            </Fact>
          </Facts>
          <p className="text-sm text-muted">
            <Trans>Checks continue meanwhile. This cannot be undone.</Trans>
          </p>
          <Form
            submit={t`Take it over`}
            onSubmit={submit}
            beside={
              <Button onClick={onCancel}>
                <Trans>Cancel</Trans>
              </Button>
            }
          />
        </div>
      </Section>
    </Arrival>
  )
}

type DoneProps = { contents: WorkspaceContentsRecord; onAnother: () => void }

function Done({ contents, onAnother }: DoneProps): ReactNode {
  const { workspace } = useWorkspace()
  const [former, here, moved] = [contents.name, workspace.name, contentsOf(contents)]
  return (
    <Arrival>
      <Section title={t`${former} is part of ${here} now`} lead={t`Moved: ${moved}.`}>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/monitors" look="primary">
            <Trans>To the monitors</Trans>
          </ButtonLink>
          <ButtonLink to="/settings/credit">
            <Trans>To the credit</Trans>
          </ButtonLink>
          <Button look="quiet" onClick={onAnother}>
            <Trans>Take over another one</Trans>
          </Button>
        </div>
      </Section>
    </Arrival>
  )
}
