import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tagSchema, tagsSchema } from './tags.ts'

describe('a tag', () => {
  for (const tag of ['a', 'Team Blue', 'ü', '#1', 'x'.repeat(50), '😀'.repeat(50), 'a:b/c'])
    it(`is taken: ${tag}`, () => assert.equal(tagSchema.parse(tag), tag))
  for (const tag of ['', ' ', ' a', 'a ', 'a,b', 'a\nb', 'a\u2028b', 'a\0', 'x'.repeat(51)])
    it(`is refused: ${JSON.stringify(tag)}`, () => assert.equal(tagSchema.safeParse(tag).success, false))
})

describe('tags', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
  it('are at most 20', () => {
    assert.deepEqual(tagsSchema.parse(twenty), twenty)
    assert.equal(tagsSchema.safeParse([...twenty, 'another']).success, false)
  })
  it('name none twice, in whatever case', () => {
    const problem = tagsSchema.safeParse(['Blue', 'blue']).error?.issues[0]?.message
    assert.equal(problem, 'Must not name a tag twice.')
  })
})
