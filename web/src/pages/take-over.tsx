import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { WorkspaceContentsRecord } from '../api/money.ts'
import { useMoney } from '../money.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Fact, Facts } from '../parts/facts.tsx'
import { PasswordField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Arrival } from '../parts/arrival.tsx'
import { PageHead, Section } from '../parts/page.tsx'
import { contentsOf } from '../parts/workspace-contents.ts'
import { useWorkspace } from '../workspace.tsx'
import { ForOwners } from './for-owners.tsx'

export function TakeOverPage(): ReactNode {
  const { workspace } = useWorkspace()
  return (
    <ForOwners title="Take over">
      <PageHead
        title="Take over"
        lead="Monitors can be paid for without an account; then a key is all that opens their workspace. With that key you bring it here."
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
      title="Its key"
      lead="It was shown once, when the first monitor was paid for, and begins with pgk_. You see what it opens before anything moves."
    >
      <Form submit="Look" onSubmit={(value) => submit(value('api_key'))}>
        <PasswordField name="api_key" label="API key" autoComplete="off" spellCheck={false} />
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
  const money = useMoney()
  const client = useQueryClient()
  const submit = async (): Promise<void> => {
    const moved = await money.takeOver(apiKey)
    await client.invalidateQueries({ queryKey: ['workspace', workspace.id] })
    onDone(moved)
  }
  return (
    <Arrival>
      <Section title={`Move ${contents.name} into ${workspace.name}?`}>
        <div className="flex flex-col gap-4">
          <Facts>
            <Fact term="It brings">{contentsOf(contents)}</Fact>
            <Fact term="Moves along">history, alerts, payments with their receipts</Fact>
            <Fact term="Its key">goes on working, and stands among the API tokens here</Fact>
            <Fact term="Its agents">are disconnected</Fact>
          </Facts>
          <p className="text-sm text-muted">Checks go on meanwhile. It cannot be undone.</p>
          <Form submit="Take it over" onSubmit={submit} beside={<Button onClick={onCancel}>Cancel</Button>} />
        </div>
      </Section>
    </Arrival>
  )
}

type DoneProps = { contents: WorkspaceContentsRecord; onAnother: () => void }

function Done({ contents, onAnother }: DoneProps): ReactNode {
  const { workspace } = useWorkspace()
  return (
    <Arrival>
      <Section title={`${contents.name} is part of ${workspace.name} now`} lead={`Moved: ${contentsOf(contents)}.`}>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/monitors" look="primary">
            To the monitors
          </ButtonLink>
          <ButtonLink to="/settings/credit">To the credit</ButtonLink>
          <Button look="quiet" onClick={onAnother}>
            Take over another one
          </Button>
        </div>
      </Section>
    </Arrival>
  )
}
