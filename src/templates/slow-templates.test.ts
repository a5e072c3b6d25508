import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSlowTemplates } from './slow-templates.ts'

const templates = { title: 'a', body: null }

describe('what is remembered of slow templates', () => {
  it('ends after its time, and is of these words alone', () => {
    let at = 0
    const slow = createSlowTemplates({ holdMs: 10, now: () => at })
    slow.hold('contact', templates)
    slow.noteSlow('workspace')
    at = 9
    assert.ok(slow.isHeld('contact', templates) && slow.isSlow('workspace'))
    assert.ok(!slow.isHeld('contact', { title: null, body: 'a' }))
    assert.ok(!slow.isHeld('another', templates) && !slow.isSlow('another'))
    at = 10
    assert.ok(!slow.isHeld('contact', templates) && !slow.isSlow('workspace'))
  })

  it('proves nothing of a workspace that was slow since', () => {
    let at = 0
    const slow = createSlowTemplates({ holdMs: 10, now: () => at })
    assert.ok(!slow.isProven('workspace'))
    slow.noteQuick('workspace')
    assert.ok(slow.isProven('workspace'))
    slow.noteSlow('workspace')
    assert.ok(!slow.isProven('workspace'))
    at = 10
    assert.ok(slow.isProven('workspace'))
  })

  it('is forgotten of the oldest beyond a thousand', () => {
    const slow = createSlowTemplates({ holdMs: 10, now: () => 0 })
    for (let number = 0; number <= 1000; number += 1) slow.noteSlow(`workspace ${number}`)
    assert.ok(!slow.isSlow('workspace 0'))
    assert.ok(slow.isSlow('workspace 1') && slow.isSlow('workspace 1000'))
  })
})
