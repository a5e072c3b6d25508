import { hash } from 'node:crypto'

/** 32 bytes. */
export function sha256(content: Uint8Array): Buffer {
  return hash('sha256', content, 'buffer')
}
