import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { finishSignOn, startSignOn } from '../../api/single-sign-on.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Door } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { localReturn, returnSearch, useEnter } from '../../session/session.ts'

/** Where a person says by which provider: the domain of the address tells. */
export function SingleSignOnPage(): ReactNode {
  const returnTo = useSearch({ from: '/outside' }).return_to ?? '/'
  return (
    <Door title={t`Single sign-on`} lead={t`The domain of your address leads to the place where you sign in.`}>
      <Form isWide submit={t`Continue`} onSubmit={(value) => startSignOn(value('email'), returnTo)}>
        <TextField name="email" label={t`Email`} type="email" autoComplete="username" />
      </Form>
      <ButtonLink to="/sign-in" search={returnSearch(returnTo)} look="quiet">
        <Trans>Sign in another way</Trans>
      </ButtonLink>
    </Door>
  )
}

/** To which the provider sends people back. An answer is good once, so it is sent once. */
export function ProviderReturnPage(): ReactNode {
  const { id } = useParams({ from: '/sign-in/provider/$id' })
  const { searchStr } = useLocation()
  const enter = useEnter()
  const answer = searchStr.replace(/^\?/, '')
  const [problem, setProblem] = useState<string | null>(null)
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    finishSignOn(id, answer).then(
      ({ returnTo }) => enter(localReturn(returnTo)),
      (error: unknown) => setProblem(problemOf(error).message),
    )
  }, [id, answer, enter])
  if (problem === null) return <Door title={t`Signing you in …`} lead={t`This takes a moment.`} />
  return (
    <Door title={t`You are not signed in`}>
      <Notice tone="bad">{problem}</Notice>
      <ButtonLink to="/sign-in" look="primary">
        <Trans>Back to sign-in</Trans>
      </ButtonLink>
    </Door>
  )
}
