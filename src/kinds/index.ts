import type { KindName } from '#core/monitor.ts'
import { api } from './api.ts'
import { http } from './http.ts'
import type { AnyKind } from './kind.ts'
import { tcp } from './tcp.ts'

/** Every kind that can be monitored. A new one is a file and a line here. */
export const kinds: Readonly<Partial<Record<KindName, AnyKind>>> = { http, api, tcp }
