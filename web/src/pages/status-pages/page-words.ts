import { type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PostState, StatusPageRecord } from '../../api/status-pages.ts'

export const visibilityWords: Readonly<Record<StatusPageRecord['visibility'], MessageDescriptor>> = {
  public: msg`public`,
  password: msg`asks for a password`,
  draft: msg`draft`,
}

export const postStateWords: Readonly<Record<PostState, MessageDescriptor>> = {
  investigating: msg`Investigating`,
  identified: msg`Identified`,
  monitoring: msg`Monitoring`,
  resolved: msg`Resolved`,
  postmortem: msg`Post-mortem`,
}
