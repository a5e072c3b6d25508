import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { linkSignOn, listProviderLinks, removeProviderLink } from '../../api/single-sign-on.ts'
import { Form } from '../../parts/form/form.tsx'
import { Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'

const linksKey = ['provider-links']

/** By which providers the person signs in, and a way to one more: that of the person's own address. */
export function ProviderLinks(): ReactNode {
  const client = useQueryClient()
  const { data: links } = useSuspenseQuery({ queryKey: linksKey, queryFn: listProviderLinks })
  const remove = async (id: string): Promise<void> => {
    await removeProviderLink(id)
    await client.invalidateQueries({ queryKey: linksKey })
  }
  return (
    <Section
      title={t`Single sign-on`}
      lead={t`Link your account with the identity provider of your workspace to sign in there. It has to know you by the same address.`}
    >
      <Rows label={t`Single sign-on`}>
        {links.map(({ id, issuer, created_at: since }) => (
          <Row
            key={id}
            title={issuer}
            details={
              <Trans>
                since <Time at={since} by="day" />
              </Trans>
            }
            action={<Form look="danger" submit={t`Remove`} unsaved={false} onSubmit={() => remove(id)} />}
          />
        ))}
      </Rows>
      <Form submit={t`Link`} look="secondary" unsaved={false} onSubmit={() => linkSignOn('/settings/security')} />
    </Section>
  )
}
