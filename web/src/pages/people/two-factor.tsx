import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type TwoFactorSetUp, confirmTotp, disableTwoFactor, enableTwoFactor, newBackupCodes } from '../../api/auth.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { CloseButton, Dialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { CodeField, PasswordField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { meQuery, useMe } from '../../session/session.ts'

type Step =
  | { what: 'enable' | 'disable' | 'renew' }
  | { what: 'scan'; setUp: TwoFactorSetUp }
  | { what: 'codes'; codes: readonly string[] }

/** An authenticator app. It counts from the moment when its first code was right. */
export function TwoFactor(): ReactNode {
  const { twoFactorEnabled } = useMe()
  const [step, setStep] = useState<Step | null>(null)
  return (
    <Section
      title={t`Authenticator app`}
      lead={
        twoFactorEnabled
          ? t`Anyone who signs in with your password or a link is asked for a code from your app.`
          : t`A second step after the password or a link: the code that an app on your phone shows.`
      }
      action={
        !twoFactorEnabled && (
          <Button onClick={() => setStep({ what: 'enable' })}>
            <Trans>Set up</Trans>
          </Button>
        )
      }
    >
      {twoFactorEnabled ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setStep({ what: 'renew' })}>
            <Trans>New backup codes</Trans>
          </Button>
          <Button look="danger" onClick={() => setStep({ what: 'disable' })}>
            <Trans>Turn off</Trans>
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">
          <Trans>Off.</Trans>
        </p>
      )}
      {step !== null && <Steps step={step} onStep={setStep} />}
    </Section>
  )
}

type StepsProps = { step: Step; onStep: (step: Step | null) => void }

function Steps({ step, onStep }: StepsProps): ReactNode {
  const client = useQueryClient()
  const toast = useToast()
  const changed = (): Promise<void> => client.invalidateQueries({ queryKey: meQuery.queryKey })
  const close = (): void => onStep(null)
  switch (step.what) {
    case 'enable':
      return (
        <PasswordDialog
          title={t`Set up an authenticator app`}
          onClose={close}
          onSubmit={async (password) => onStep({ what: 'scan', setUp: await enableTwoFactor(password) })}
        />
      )
    case 'scan':
      return (
        <Scan
          setUp={step.setUp}
          onClose={close}
          onConfirmed={async () => {
            await changed()
            onStep({ what: 'codes', codes: step.setUp.backupCodes })
          }}
        />
      )
    case 'renew':
      return (
        <PasswordDialog
          title={t`New backup codes`}
          onClose={close}
          onSubmit={async (password) => onStep({ what: 'codes', codes: (await newBackupCodes(password)).backupCodes })}
        />
      )
    case 'disable':
      return (
        <PasswordDialog
          title={t`Turn the authenticator app off?`}
          onClose={close}
          onSubmit={async (password) => {
            await disableTwoFactor(password)
            await changed()
            toast(t`Your password alone signs you in again.`)
            close()
          }}
        />
      )
    case 'codes':
      return <BackupCodes codes={step.codes} onClose={close} />
  }
}

type PasswordDialogProps = { title: string; onSubmit: (password: string) => Promise<void>; onClose: () => void }

function PasswordDialog({ title, onSubmit, onClose }: PasswordDialogProps): ReactNode {
  return (
    <FormDialog
      title={title}
      submit={t`Continue`}
      onSubmit={(value) => onSubmit(value('password'))}
      onClose={onClose}
      unsaved={false}
    >
      <PasswordField name="password" label={t`Your password`} autoComplete="current-password" />
    </FormDialog>
  )
}

type ScanProps = { setUp: TwoFactorSetUp; onConfirmed: () => Promise<void>; onClose: () => void }

function Scan({ setUp, onConfirmed, onClose }: ScanProps): ReactNode {
  const secret = new URL(setUp.totpURI).searchParams.get('secret') ?? ''
  const submit = async (code: string): Promise<void> => {
    await confirmTotp(code.replaceAll(' ', ''))
    await onConfirmed()
  }
  return (
    <Dialog title={t`Scan this with the app`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <QrCode text={setUp.totpURI} label={t`For the authenticator app`} />
        <p className="text-sm text-muted">
          <Trans>Or type this into the app:</Trans>
        </p>
        <CopyText label={t`Secret of the app`} text={secret} />
        <Form
          submit={t`Turn on`}
          onSubmit={(value) => submit(value('code'))}
          beside={
            <CloseButton>
              <Trans>Cancel</Trans>
            </CloseButton>
          }
          unsaved={false}
        >
          <CodeField name="code" label={t`Code that the app shows`} />
        </Form>
      </div>
    </Dialog>
  )
}

function BackupCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): ReactNode {
  return (
    <Dialog title={t`Your backup codes`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice tone="warn">
          <Trans>They are shown only once. Each signs you in once, if you lose your phone.</Trans>
        </Notice>
        <CopyText label={t`Backup codes`} text={codes.join(' ')} />
        <Button look="primary" onClick={onClose}>
          <Trans>I have saved them</Trans>
        </Button>
      </div>
    </Dialog>
  )
}
