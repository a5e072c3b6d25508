import type { Equivalent } from './equivalent.ts'

/** Changes of kinds that no test can find. */
export const equivalentsOfKinds: readonly Equivalent[] = [
  {
    file: 'src/kinds/cloud/cloud-report.ts',
    line: "const amazonImpacts: Readonly<Record<string, Impact>> = { 0: 'none', 2: 'minor', 2: 'major', 3: 'critical' }",
    because: 'A state that is not known is a minor one, too.',
  },
  {
    file: 'src/kinds/paid/paid-endpoint.ts',
    line: 'maxBodyBytes: 1,',
    because: 'The exchange ends with the headers.',
  },
  {
    file: 'src/kinds/paid/paid-endpoint.ts',
    line: 'maxWireBytes: 1,',
    because: 'The exchange ends with the headers.',
  },
  {
    file: 'src/kinds/web/keyword-search.ts',
    line: 'else if (start.length > declarationBytes) choose(declaredCharset(start))',
    because: 'The next piece, or the end, chooses the same charset from the same bytes.',
  },
  {
    file: 'src/kinds/web/keyword-search.ts',
    line: 'const overlap = wanted.length + 1',
    because: 'A longer overlap finds nothing else.',
  },
  {
    file: 'src/kinds/web/keyword-search.ts',
    line: 'const end = piece.length > overlap ? piece : seam',
    because: 'Where both have the overlap, they end in the same bytes.',
  },
  {
    file: 'src/kinds/web/keyword-search.ts',
    line: 'tail = text.slice(Math.max(0, text.length - keyword.length - 1))',
    because: 'A longer overlap finds nothing else.',
  },
  {
    file: 'src/kinds/web/web-kind.ts',
    line: 'maxBodyBytes: hasJson ? maxSeenBytes : 1,',
    because: 'Without a JSON path nothing reads the kept bytes.',
  },
  {
    file: 'src/kinds/web/web-options.ts',
    line: 'certificate_authorities: text({ min: 2, max: 40_000 })',
    because: 'One character is no certificate.',
  },
  {
    file: 'src/kinds/web/web-options.ts',
    line: 'client_certificate: text({ min: 2, max: 20_000 })',
    because: 'One character is no certificate.',
  },
  {
    file: 'src/kinds/web/web-options.ts',
    line: 'final_url: text({ min: 2, max: 2048 })',
    because: 'One character is no address.',
  },
  {
    file: 'src/kinds/web/pem.ts',
    line: ".map((rest) => `${begin}${rest.split(end, 2)[0] ?? ''}${end}`)",
    because: 'The first part is taken, however many there are.',
  },
  {
    file: 'src/kinds/domain/rdap-source.ts',
    line: 'if (nowMs() > validUntilMs) {',
    because: 'A day is not kept to the millisecond.',
  },
  {
    file: 'src/kinds/ntp.ts',
    line: "const direction = offsetMs > 1 ? 'fast' : 'slow'",
    because: 'No limit is below a millisecond, and an offset of a millisecond is beyond none.',
  },
]
