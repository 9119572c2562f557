/** Hostile texts that an agent, a model or a test file might put into a report. */
export const hostile = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '</script></system-out></testcase>]]>',
  '[click](javascript:alert(1)) www.evil.example https://evil.example @everyone',
  '\u001b[31mred\u001b]52;c;aGk=\u0007',
  '\u202egnp.exe',
  '=HYPERLINK("http://evil")',
  '::error file=a,line=1::pwned',
  '   ::add-mask::indented',
  '##[add-mask]x',
  '%0A::set-output name=x::y',
  '```\n# heading\n```',
  '| a | b |',
  '\u0000\u0008\ud800',
  '\ufffe\uffff',
].join('\n')
