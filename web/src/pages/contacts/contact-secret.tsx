import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'

/** Standard Webhooks 1.0, with nothing but Node.js. Takes any of several signatures, as there are after a change. */
const example = `import { createHmac, timingSafeEqual } from 'node:crypto'

const secret = process.env.SIGNING_SECRET.replace('whsec_', '')
const key = Buffer.from(secret, 'base64')

// body: the request's, as it came
export function isGenuine(headers, body) {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  const age = Math.abs(Date.now() / 1000 - Number(time))
  if (!(age < 300)) return false
  const expected = createHmac('sha256', key)
    .update(\`\${id}.\${time}.\${body}\`)
    .digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((text) => Buffer.from(text.replace('v1,', ''), 'base64'))
    .some(
      (given) =>
        given.length === expected.length &&
        timingSafeEqual(given, expected),
    )
}`

export function SigningSecret({ secret, onClose }: { secret: string; onClose: () => void }): ReactNode {
  return (
    <Dialog title={t`The signing secret`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice tone="warn">
          <Trans>It is shown only once. Your program uses it to check that messages are genuine.</Trans>
        </Notice>
        <CopyText label={t`Signing secret`} text={secret} />
        <HowToVerify />
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  )
}

/** For the program that gets the messages. */
export function HowToVerify(): ReactNode {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm font-medium">
        <Trans>How to verify a message in Node.js</Trans>
      </p>
      <p className="text-sm text-muted">
        <Trans>
          Other languages have libraries for it: look for “Standard Webhooks”. Recognise repeats by the header
          webhook-id.
        </Trans>
      </p>
      <CopyText label={t`Example`} text={example} rows={10} />
    </div>
  )
}
