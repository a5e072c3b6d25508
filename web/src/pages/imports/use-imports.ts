import { useMemo } from 'react'
import { type ImportsApi, importsApi } from '../../api/imports.ts'
import { useWorkspace } from '../../session/workspace.tsx'

export function useImportsApi(): ImportsApi {
  const { workspace } = useWorkspace()
  return useMemo(() => importsApi(workspace.id), [workspace.id])
}

/** The key under which the list is cached. */
export const importsKey = 'imports'

/** The key of one import. */
export function importKey(id: string): string {
  return `import ${id}`
}
