import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { imageProblems, isImageFile } from './images.ts'

const pinned = `postgres:18@sha256:${'a'.repeat(64)}`

describe('images of containers', () => {
  for (const [file, text, refused] of [
    ['compose.yaml', 'services:\n  db:\n    image: postgres:18\n', ['3 postgres:18']],
    ['compose.yaml', `services:\n  db:\n    image: ${pinned}\n`, []],
    ['compose.yaml', 'services: { db: { image: postgres } }', ['1 postgres']],
    ['compose.yaml', 'image: &base "postgres:18" # the base', ['1 postgres:18']],
    ['compose.yaml', 'image: *base\n# image: postgres:18\n', []],
    ['compose.yaml', `image: postgres@sha256:${'a'.repeat(63)}`, [`1 postgres@sha256:${'a'.repeat(63)}`]],
    ['compose.yaml', 'image: ${DATABASE_IMAGE:-postgres:18}', ['1 ${DATABASE_IMAGE:-postgres:18']],
    ['deploy/kubernetes/a.yaml', '      - image: registry.example.com/other:1', ['1 registry.example.com/other:1']],
    ['deploy/kubernetes/a.yaml', 'image: registry.example.com/perigee:0.1.0', []],
    ['deploy/compose.yaml', 'image: perigee:${PERIGEE_VERSION:-0.1.0}', []],
    ['deploy/compose.yaml', 'image: evil.example.com/perigee:0.1.0', ['1 evil.example.com/perigee:0.1.0']],
    ['templates/set.yaml', 'image: {{ .Values.image | quote }}', []],
    ['.github/workflows/ci.yml', '    container: debian:12\n', ['1 debian:12']],
    ['.github/workflows/ci.yml', '    container:\n      options: --init\n', []],
    [
      '.github/workflows/ci.yml',
      '      - uses: docker://alpine:3\n      - uses: actions/checkout@v6\n',
      ['1 alpine:3'],
    ],
    ['Dockerfile', `FROM ${pinned} AS base\nFROM base\nCOPY --from=base /a /a\nFROM scratch\n`, []],
    ['a/Dockerfile.dev', 'FROM --platform=linux/amd64 node:24 AS build\n', ['1 node:24']],
    ['Containerfile', `FROM ${pinned}\nCOPY --from=nginx:1 /a /a\n`, ['2 nginx:1']],
    ['Dockerfile', `FROM ${pinned}\nRUN --mount=type=bind,from=busybox,target=/b true\n`, ['2 busybox']],
    ['Dockerfile', 'ARG BASE=node:24\nFROM ${BASE}\n', ['2 ${BASE}']],
  ] as const)
    it(`${file} with ${JSON.stringify(text)}: ${refused.length === 0 ? 'taken' : `refuses ${refused.join(', ')}`}`, () => {
      const expected = refused.map((each) => {
        const [line = '', image = ''] = each.split(' ')
        return `${file}:${line} takes the image ${image}, which is not pinned by a digest.`
      })
      assert.deepEqual(imageProblems({ file, text }), expected)
    })

  it('stand in files of YAML and of builds', () => {
    const files = [
      'a.yaml',
      'b/c.yml',
      'Dockerfile',
      'x/Dockerfile.dev',
      'Containerfile',
      'README.md',
      'my-Dockerfile.ts',
    ]
    assert.deepEqual(files.filter(isImageFile), files.slice(0, 5))
  })
})
