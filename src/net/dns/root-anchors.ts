/**
 * The digests of the keys that the root of the DNS is signed with, as DS records: those that IANA publishes as trust
 * anchors (https://data.iana.org/root-anchors/root-anchors.xml, RFC 9718), of the keys of 2017 and of 2024.
 */
export const rootAnchors: readonly string[] = [
  '20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D',
  '38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16',
]
