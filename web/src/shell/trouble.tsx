import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Door } from '../parts/page.tsx'
import { problemOf } from '../parts/problem.ts'

export function Trouble({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter()
  const { reset: forget } = useQueryErrorResetBoundary()
  const again = (): void => {
    forget()
    reset()
    void router.invalidate()
  }
  return (
    <Door title={t`This page could not be shown`} lead={problemOf(error).message}>
      <Button look="primary" onClick={again}>
        <Trans>Try again</Trans>
      </Button>
    </Door>
  )
}

export function NotFound(): ReactNode {
  return (
    <Door title={t`There is nothing here`} lead={t`The address may be mistyped, or the page no longer exists.`}>
      <ButtonLink to="/" look="primary">
        <Trans>To the monitors</Trans>
      </ButtonLink>
    </Door>
  )
}
