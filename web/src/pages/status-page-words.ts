import type { PostState, StatusPageRecord } from '../api/status-pages.ts'

export const visibilityWords: Readonly<Record<StatusPageRecord['visibility'], string>> = {
  public: 'public',
  password: 'asks for a password',
  draft: 'draft',
}

export const postStateWords: Readonly<Record<PostState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
}
