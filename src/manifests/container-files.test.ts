import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCatalogEntry } from '#core/software/software-catalog.ts'
import { packagesIn, refusalOf } from '../../test/support/manifests.ts'
import { imageMention } from './image-reference.ts'
import { productOfImage, productsOfImages } from './images.ts'
import { substitute, unknownText } from './variables.ts'

describe('an image', () => {
  const images: [reference: string, read: string | null][] = [
    ['nginx', 'nginx null'],
    ['nginx:latest', 'nginx null'],
    ['nginx:1.27.4', 'nginx 1.27.4'],
    ['nginx:1.27-alpine3.20', 'nginx 1.27'],
    ['nginx:stable-alpine', 'nginx null'],
    ['nginx:1.27.4@sha256:5a27', 'nginx 1.27.4'],
    ['nginx@sha256:5a27', 'nginx null'],
    ['Docker.io/Library/nginx:1.27.4', 'nginx 1.27.4'],
    ['docker.io/nginx:1.27.4', 'nginx 1.27.4'],
    ['public.ecr.aws/docker/library/nginx:1.27.4', 'nginx 1.27.4'],
    ['registry.example.com/nginx:1.27.4', null],
    ['localhost:5000/nginx:1.27.4', null],
    ['someone/nginx:1.27.4', null],
    ['node:20-alpine', 'nodejs 20'],
    ['node:lts', 'nodejs null'],
    ['golang:1.22.1-bookworm', 'go 1.22.1'],
    ['httpd:2.4.58', 'apache-http-server 2.4.58'],
    ['postgres:17beta1', 'postgresql 17beta1'],
    ['postgres:12-alpine', 'postgresql 12'],
    ['php:8.4.0RC1-fpm', 'php 8.4.0RC1'],
    ['rabbitmq:3.13.0-rc.4-management', 'rabbitmq 3.13.0-rc.4'],
    ['eclipse-temurin:17.0.9_9-jre', 'eclipse-temurin 17.0.9'],
    ['eclipse-temurin:8u392-b08-jdk', 'eclipse-temurin null'],
    ['prom/prometheus:v2.45.0', 'prometheus 2.45.0'],
    ['quay.io/keycloak/keycloak:24.0.1', 'keycloak 24.0.1'],
    ['mcr.microsoft.com/dotnet/aspnet:8.0.1-alpine', 'dotnet 8.0.1'],
    ['minio/minio:RELEASE.2024-01-16T16-07-38Z', 'minio RELEASE.2024-01-16T16-07-38Z'],
    ['gitlab/gitlab-ce:16.5.1-ce.0', 'gitlab 16.5.1'],
    ['debian:bookworm-slim', 'debian 12'],
    ['debian:bookworm-20240110', 'debian 12'],
    ['debian:12.5', 'debian 12.5'],
    ['debian:sid', 'debian null'],
    ['ubuntu:jammy-20240111', 'ubuntu 22.04'],
    ['ubuntu:22.04', 'ubuntu 22.04'],
    ['alpine:20240315', 'alpine-linux null'],
    ['nginx:', 'nginx null'],
    [':1.0', null],
    ['', null],
    ['__proto__:1.0', null],
    ['constructor', null],
    [`nginx:1.${unknownText}`, 'nginx null'],
    [`${unknownText}nginx:1.0`, null],
  ]
  for (const [reference, read] of images)
    it(`${JSON.stringify(reference)} is ${read}`, () => {
      const mention = imageMention(reference)
      assert.equal(mention !== null && 'software' in mention ? `${mention.software} ${mention.version}` : null, read)
    })

  it('of the table is a product that the catalogue has', () => {
    for (const product of productsOfImages()) assert.notEqual(findCatalogEntry(product), null, product)
    assert.equal(productOfImage('library/postgres'), 'postgresql')
  })
})

describe('a text with variables', () => {
  const values = new Map([
    ['A', 'one'],
    ['EMPTY', ''],
    ['LONG', 'x'.repeat(600)],
  ])
  const texts: [text: string, filled: string][] = [
    ['plain', 'plain'],
    ['$A', 'one'],
    ['${A}-$A.', 'one-one.'],
    ['$B', unknownText],
    ['x:${B}', `x:${unknownText}`],
    ['${B:-two}', 'two'],
    ['${B-two}', 'two'],
    ['${EMPTY:-two}', 'two'],
    ['${EMPTY-two}', ''],
    ['${A:-two}', 'one'],
    ['${A:+two}', 'two'],
    ['${B:+two}', ''],
    ['${B:?it is needed}', unknownText],
    ['${A?it is needed}', 'one'],
    ['${B:-${C:-${A}}}', 'one'],
    ['${B:-$$x}', '$x'],
    ['$$A', '$A'],
    ['$', '$'],
    ['a$', 'a$'],
    ['${', unknownText],
    ['${A', 'one'],
    ['${}', unknownText],
    ['}', '}'],
    ['$LONG$LONG', unknownText],
    ['${B:-$LONG$LONG}', unknownText],
    ['$A'.repeat(1000), unknownText],
  ]
  for (const [text, filled] of texts)
    it(`${JSON.stringify(text.slice(0, 30))} is filled in`, () => assert.equal(substitute(text, values), filled))

  it('is filled in to a depth that ends', () => {
    assert.equal(substitute('${B:-'.repeat(150), values), unknownText)
  })
})

describe('a Dockerfile', () => {
  const files: [label: string, lines: string[], read: string[]][] = [
    ['stages', ['FROM nginx:1.27.4 AS n', 'FROM ubuntu:latest', 'FROM n', 'from N'], ['nginx 1.27.4', 'ubuntu']],
    ['scratch', ['FROM scratch'], []],
    ['platforms', ['FROM --platform=$BUILDPLATFORM node:20.1.0 as build'], ['nodejs 20.1.0']],
    ['arguments', ['ARG TAG=1.27.4', 'ARG IMAGE="nginx:${TAG}"', 'FROM ${IMAGE}'], ['nginx 1.27.4']],
    ['arguments without value', ['ARG TAG', 'FROM nginx:$TAG', 'FROM node:${V:-20}'], ['nginx', 'nodejs 20']],
    ['arguments of a stage', ['FROM node:20', 'ARG V=1', 'FROM nginx:$V'], ['nodejs 20', 'nginx']],
    ['a stage named as an image', ['FROM node:20 AS nginx', 'FROM nginx'], ['nodejs 20']],
    [
      'continued lines',
      ['FROM \\', '# why', '', '  nginx:1.27.4 \\', '  AS n', 'RUN a \\', 'FROM node'],
      ['nginx 1.27.4'],
    ],
    [
      'heredocs',
      ['FROM nginx', 'RUN <<-EOF cat <<"B"', 'FROM node', 'EOF', 'FROM php', 'B', 'FROM redis'],
      ['nginx', 'redis'],
    ],
    ['no heredocs', ['FROM nginx', 'RUN cat <<<x && echo $((1<<A))', 'FROM redis'], ['nginx', 'redis']],
    [
      'another escape',
      ['# escape=`', 'FROM nginx', 'COPY a C:\\', 'RUN a `', 'FROM node', 'FROM redis'],
      ['nginx', 'redis'],
    ],
    [
      'copies',
      ['FROM node:20 AS a', 'COPY --from=a /a /a', 'COPY --chown=a --from=nginx:1.27.4 /a /a', 'COPY --from=0 /b /b'],
      ['nodejs 20', 'nginx 1.27.4'],
    ],
    [
      'mounts',
      ['FROM node:20', 'RUN --mount=type=bind,from=nginx:1.27.4,target=/a ls --from=redis'],
      ['nodejs 20', 'nginx 1.27.4'],
    ],
  ]
  for (const [label, lines, read] of files)
    it(`with ${label} names its images`, () => {
      assert.deepEqual(packagesIn('Dockerfile', lines.join('\n')), read)
      assert.deepEqual(packagesIn('Dockerfile', lines.join('\r\n')), read)
    })

  it('is refused where it builds on nothing', () => {
    for (const content of ['', '# FROM nginx', 'RUN yarn install', 'ARG A=1'])
      assert.equal(refusalOf('Dockerfile', content), 'It is no Dockerfile: it has no FROM.')
  })
})

describe('a Compose file', () => {
  it('names the images of its services, with the defaults of its variables', () => {
    const content = [
      'name: shop',
      'x-base: &base',
      '  image: nginx:1.27.4',
      'services:',
      '  a:',
      '    <<: *base',
      '  b:',
      '    image: "postgres:${TAG:-16.2}"',
      '  c:',
      '    image: redis:${TAG}',
      '  d:',
      '    image: mysql:8.0',
      '    ports: !override',
      '      - "1:1"',
      '    environment: !reset null',
      '  e:',
      '    build: .',
      '  f:',
      '  g:',
      '    image: ${REGISTRY}/nginx:1.0',
      'volumes:',
      '  image: nginx:9.9.9',
    ].join('\n')
    assert.deepEqual(packagesIn('docker-compose.yml', content), [
      'nginx 1.27.4',
      'postgresql 16.2',
      'redis',
      'mysql 8.0',
    ])
  })

  it('keeps a tag that looks like a number as it stands', () =>
    assert.deepEqual(packagesIn('docker-compose.yml', 'services: {a: {image: "mysql:8.10"}, b: {image: 1.10}}'), [
      'mysql 8.10',
    ]))

  it('may have no services, and is refused where it is none', () => {
    for (const content of ['', 'services:\n', 'include: [a.yml]\n', 'services: [a]\n'])
      assert.deepEqual(packagesIn('docker-compose.yml', content), [])
    assert.match(refusalOf('docker-compose.yml', 'no yaml file') ?? '', /has no keys/)
    assert.match(refusalOf('docker-compose.yml', 'a:\n\tb: c') ?? '', /not valid YAML/)
  })
})
