import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Receipt } from '../api/money.ts'
import { useMoney } from '../money.ts'
import { Button } from '../parts/button.tsx'
import { download } from '../parts/download.ts'
import { methodWords } from '../parts/money-words.ts'
import { Notice } from '../parts/notice.tsx'
import { PageHead, linkClass } from '../parts/page.tsx'
import { problemOf } from '../parts/problem.ts'
import { useToast } from '../parts/toast.tsx'
import { useRead, useWorkspace } from '../workspace.tsx'
import { ForOwners } from './for-owners.tsx'
import { ReceiptPaper } from './receipt-paper.tsx'

export function ReceiptPage(): ReactNode {
  return (
    <ForOwners title="Receipt">
      <Found />
    </ForOwners>
  )
}

function Found(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/settings/payments/$id' })
  const { workspace } = useWorkspace()
  const money = useMoney()
  const { data: receipt } = useRead(`receipt ${id}`, { read: () => money.readReceipt(id) })
  const back = (
    <p className="mb-4 text-sm print:hidden">
      <Link to="/settings/payments" className={linkClass}>
        All payments
      </Link>
    </p>
  )
  if (receipt === null)
    return (
      <>
        {back}
        <PageHead title="Receipt" />
        <Notice>There is no such payment in {workspace.name}.</Notice>
      </>
    )
  return (
    <>
      {back}
      <PageHead
        title={`${receipt.title} ${receipt.receipt_number}`}
        lead={
          <span className="wrap-anywhere">
            {methodWords[receipt.payment.method]}, {receipt.payment.reference}
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
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button look="primary" onClick={() => print()}>
        Print
      </Button>
      <Button onClick={() => void saveMarkdown()}>Save as Markdown</Button>
      <Button onClick={saveJson}>Save as JSON</Button>
    </div>
  )
}
