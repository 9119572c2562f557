/** Texts that have an effect if they are not treated as text, by name. */
const texts: Record<string, string> = {
  script: '<script>alert(1)</script>',
  closing: '</script></style></title></textarea><script>alert(1)</script>',
  image: '<img src=x onerror=alert(1)>"\'><svg/onload=alert(1)>',
  comment: '<!-- --!><script>alert(1)</script>',
  link: '[click](javascript:alert(1)) <javascript:alert(1)>',
  pixel: '![x](http://127.0.0.1:9/pixel.png) https://evil.example www.evil.example @everyone #1',
  table: '| a | b |\n| --- | --- |\n# heading\n<details open>',
  fence: '```\n# out of the fence\n```\n~~~~\n````',
  colour: '\u001b[31mred\u001b[2J\u001b[1;1H',
  'osc-8': '\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007',
  'osc-52': '\u001b]52;c;aGk=\u0007\u001b]0;title\u001b\\',
  c1: '\u009b31mred\u0090q\u009c',
  bidi: '\u202egnp.exe\u2066x\u2069\u200f',
  nul: 'a\u0000b\u0008\u007f',
  surrogate: '\ud800 \udfff \ufffe \uffff',
  separators: 'a\u2028b\u2029c\u0085d\u000be\u000cf\rg',
  commands: '\n::error file=a,line=1::x\n  ::add-mask::x\n##[command]x\n%0A::set-output name=x::y',
  xml: ']]></system-out></testcase><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
  formula: '=HYPERLINK("http://evil.example")\t+1\n@SUM(1)',
  prototype: '__proto__ constructor toString',
  template: '{{constructor.constructor("alert(1)")()}} ${alert(1)} <%= 1 %>',
}

export interface Payload {
  name: string
  text: string
}

/** Each has its name in it, so that the rig can check that it is present. */
export const payloads: readonly Payload[] = Object.entries(texts).map(([name, text]) => ({
  name,
  text: `${text} mark-${name}`,
}))
