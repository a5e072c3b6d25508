import { useMemo } from 'react'
import { type MoneyApi, moneyApi } from '../api/money.ts'
import { useWorkspace } from './workspace.tsx'

/** Money of the current workspace. */
export function useMoney(): MoneyApi {
  const { workspace } = useWorkspace()
  return useMemo(() => moneyApi(workspace.id), [workspace.id])
}
