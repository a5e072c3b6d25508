import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Receipt } from '../../api/money.ts'
import { useMoney } from '../../session/use-money.ts'
import { Button } from '../../parts/button.tsx'
import { download } from '../../parts/download.ts'
import { methodWords } from '../../parts/money-words.ts'
import { Notice } from '../../parts/notice.tsx'
import { PageHead, actionsClass, linkClass } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { ForOwners } from '../workspaces/for-owners.tsx'
import { ReceiptPaper } from './receipt-paper.tsx'

export function ReceiptPage(): ReactNode {
  return (
    <ForOwners title={t`Receipt`}>
      <Found />
    </ForOwners>
  )
}

function Found(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/settings/payments/$id' })
  const { name: workspace } = useWorkspace().workspace
  const money = useMoney()
  const { data: receipt } = useRead(`receipt ${id}`, { read: () => money.readReceipt(id) })
  const back = (
    <p className="mb-4 text-sm print:hidden">
      <Link to="/settings/payments" className={linkClass}>
        <Trans>All payments</Trans>
      </Link>
    </p>
  )
  if (receipt === null)
    return (
      <>
        {back}
        <PageHead title={t`Receipt`} />
        <Notice>
          <Trans>There is no such payment in {workspace}.</Trans>
        </Notice>
      </>
    )
  return (
    <>
      {back}
      <PageHead
        title={`${receipt.title} ${receipt.receipt_number}`}
        lead={
          <span className="wrap-anywhere">
            {i18n._(methodWords[receipt.payment.method])}, {receipt.payment.reference}
          </span>
        }
        action={<Actions receipt={receipt} />}
      />
      <ReceiptPaper receipt={receipt} />
    </>
  )
}

function Actions({ receipt }: { receipt: Receipt }): ReactNode {
  const money = useMoney()
  const toast = useToast()
  const name = `${receipt.title.toLowerCase()}-${receipt.receipt_number}`
  const saveMarkdown = async (): Promise<void> => {
    try {
      const text = await money.readReceiptText(receipt.payment.id)
      download(`${name}.md`, { type: 'text/markdown', text })
    } catch (error) {
      toast(problemOf(error).message)
    }
  }
  const saveJson = (): void =>
    download(`${name}.json`, { type: 'application/json', text: `${JSON.stringify(receipt, null, 2)}\n` })
  return (
    <div className={`${actionsClass} print:hidden`}>
      <Button look="primary" onClick={() => print()}>
        <Trans>Print</Trans>
      </Button>
      <Button onClick={() => void saveMarkdown()}>
        <Trans>Save as Markdown</Trans>
      </Button>
      <Button onClick={saveJson}>
        <Trans>Save as JSON</Trans>
      </Button>
    </div>
  )
}
