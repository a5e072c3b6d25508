import { z } from 'zod'
import { groupPolicies } from '#core/monitors/group.ts'
import { definePassiveKind } from './kind.ts'

const maxMembers = 100

/** Monitors seen as one; core/monitors/group.ts adds them up (docs/decisions/targets-and-kinds.md, "Groups"). */
export const group = definePassiveKind({
  name: 'group',
  options: z
    .strictObject({
      member_ids: z
        .array(z.uuid().toLowerCase())
        .min(1)
        .max(maxMembers)
        .meta({ uniqueItems: true })
        .refine((ids) => new Set(ids).size === ids.length, 'Must not name a monitor twice.')
        .describe('Ids of monitors of this workspace, no groups among them, each once.'),
      group_policy: z
        .enum(groupPolicies)
        .default('all')
        .describe('`all`: every member has to be up. `any`: one is enough. Default `all`.'),
    })
    .describe('Monitors of this workspace seen as one.'),
})
