import { describe, expect, it } from 'vitest'
import type { Reply } from '../../results/transcript/reply.ts'
import { createAwaitingDetector, detectAwaiting } from './awaiting.ts'

function reply(content: string, rest: Partial<Reply> = {}): Reply {
  return { output: content, content, messages: [], toolCalls: [], ...rest }
}

/** Replies after which a human reader says that the agent waits for an answer. */
const asking = {
  bank: [
    'What is the amount?',
    'I can do that. Shall I proceed?',
    'For your security, could you tell me the last four digits of the card?',
    'The transfer of €4,500.00 to ACME Ltd. goes out today. Do you confirm it?',
    'To raise your limit I need your current monthly income.',
    'I have put a hold on the card. Before I order a new one, please confirm your postal address.',
    'Which account should it come from?\n\n- Checking (••1234)\n- Savings (••9876)\n\nTake your time!',
    'Two payees match "Jon": Jonathan Reed and Jon Park. Let me know which one you mean.',
    'Reply YES to release the payment.',
    'Enter your 6-digit code.',
    'Just need your postcode and we are good to go.',
    'Would you like the statement as PDF or CSV? The CSV has no balances.',
  ],
  shop: [
    'This requires approval. Please provide PO number.',
    'Sure 🙂 What size do you wear? 👟',
    'Once you send me the order number, I can look into the delay.',
    "I found three jackets in your size. Tell me which one you'd like and I'll add it to the basket.",
    'Happy to help! Do you want to **return** or **exchange** it?',
    'Sorry about that! Can you share a photo of the damage? It helps us settle the claim faster. If you have any questions, feel free to ask.',
    'Thanks, and which color?',
    'Unfortunately blue is not available, is red fine?',
    'Should I change anything before I ask for the delivery?',
    'Please choose one of these:\n\n1. Refund\n2. Replacement\n3. Store credit',
    'I will start the return as soon as you confirm the pick-up date.',
    'If you could give me the serial number, I will check the warranty.',
    '| Plan | Price |\n| --- | --- |\n| S | $5 |\n| M | $9 |\n\nWhich plan would you like?',
  ],
  devops: [
    'The deploy to staging is green. Should I promote it to production?',
    'Dropping the table `users_old` cannot be undone. Type "yes" to continue.',
    'I need to know which cluster you mean: eu-1 or us-2.',
    'The plan destroys 3 resources and requires your approval.',
    'Rolling back takes about 5 min. and drops new sessions... are you sure?',
    'Pods are crash-looping since 14:02.\n\n```\npanic: nil pointer\n```\n\nDo you want me to roll back?',
    'I have two ideas:\n\n## Option A\nScale up.\n\n## Option B\nAdd a cache.\n\nLet me know how you want to go on.',
    'Before I rotate the keys, which services use them?',
  ],
  clinic: [
    'Since when have you had the fever?',
    "I'm sorry you feel unwell. Please describe your symptoms, so that I can find the right doctor.",
    'Dr. Patel is free on Tuesday at 9:30 a.m. or Thursday at 2 p.m. Which works better for you?',
    "We'll need your insurance number and date of birth. You find the number on the back of the card.",
    'Are you allergic to any medication? If so, please list them.',
    'When you have the referral at hand, tell me the code on it.',
    'Waiting for your confirmation.',
    'How can I help you today?',
    'Your full name and date of birth, please.',
    'It would help to know how long the pain has lasted.',
    'When would you like to come in',
    'What is your date of birth',
    'How many people are in your family',
    'Let me also know which tooth it is.',
    'Thanks, now tell me where it hurts.',
  ],
  coding: [
    'I can fix this in the parser or in the caller. Which do you prefer?',
    'Do you want me to write the tests first?',
    'There is no `tsconfig.json` here. Could you paste the one you use?',
    "The migration would rename 14 columns. I'd like to run it against a copy first; OK?",
    'I see two packages called `core`.\n\n- `packages/core`\n- `legacy/core`\n\nWhich of them should I change? They share no code.',
    '**Ready to merge?**',
    'Please let me know whether the old API must keep working.',
    "I've drafted the release notes. Let me know what you think.",
    "It's all staged. Let me know if this looks right and I'll push it.",
    'Give me the error message and I will have a look.',
  ],
  confirmations: [
    'Please verify these details: invoice 4411, due on the first of May.',
    'Please look over the summary: three lamps, delivered to the studio.',
    'Kindly review your order details before it goes out. The courier comes at noon.',
    'Verify these data: sender Ada, receiver Grace.',
    'Fine, just confirm this information: the backup is kept, the table goes.',
    'Confirm two seats in the first row.',
    'Confirm order 4411 and its delivery on Monday.',
    'If you want me to send it, confirm the amount.',
    'To continue, confirm your new address.',
    'Once you verify the amount, I will send it.',
    'To confirm, a haircut on Tuesday at ten.',
    'Sure. Just to confirm: we are sending the piano to your old flat.',
    'Just to double-check, you need all 40 accounts removed.',
    'To verify that you want the annual plan, here is what it has: 12 months, one seat.',
    'Confirming a massage for two on Sunday.',
    'Great, confirming that you want the membership to end in June. There is no fee.',
    "Let's double-check the details. The van comes at eight. It has three seats.",
    'Let me make sure I have that right: no onions, extra cheese.',
    'Alright, let me see if I understood you: the deploy goes to eu-1 only.',
    "I'd like to confirm that you are moving out in March.",
    'Let me read that back to you: four, seven, one, one.',
    "So you'd like the blue one in size M.",
    'Got it, you want the invoice in the name of your company. It is for last year.',
    'Just checking: you would prefer a call after work.',
    'If I understand you correctly, you want me to keep the tag and delete the branch.',
    'You are looking for a flat with a garden near the river.',
    'Okay, so you are ordering three pizzas and paying at the door.',
    'So, 12 roses for your mother.',
    'I have you down for two nights from Friday, is that right.',
  ],
  languages: [
    '金额是多少？',
    '您想预订哪一天的房间？我们周六已满。',
    '请提供您的订单号。',
    '您确认要取消吗',
    'ご希望の日時を教えてください。',
    'この内容でよろしいでしょうか。',
    '¿Para cuántas personas desea la mesa?',
    'Por favor, indique su número de cliente.',
    'Veuillez confirmer votre adresse e-mail.',
    'Pour quelle date souhaitez-vous réserver ?',
    'Bitte nennen Sie mir Ihre Kundennummer.',
    'Möchten Sie den Termin bestätigen? Er dauert 30 Minuten.',
    'Por favor, informe o número do pedido.',
    'Você quer continuar?',
    'ما هو رقم الطلب؟',
    'Ποιος είναι ο αριθμός παραγγελίας;',
    'Ի՞նչ է ձեր անունը։',
    'Какой у вас номер заказа?',
    '주문 번호가 어떻게 되나요?',
  ],
}

/** Replies after which it does not. */
const done = {
  bank: [
    'Done. Your reference is EXP-1.',
    'You asked what counts as travel. Flights do.',
    'Your card is blocked. A new one arrives within 5 working days. If you need anything else, just let me know.',
    'I have sent €200 to Anna. Is there anything else I can help you with?',
    "You're welcome! Have a lovely weekend.",
    'Your balance is $1,204.50. Please note that pending payments are not included.',
    "The fee was refunded. Don't hesitate to contact us should you have any further questions.",
  ],
  shop: [
    'Your order has shipped and arrives on Friday. Thanks for shopping with us!',
    'The jacket is in your basket. Let me know if you have any questions.',
    'The parcel is at https://track.example.com/find?id=12&lang=en and arrives tomorrow.',
    'I have cancelled the order. Please allow 3 to 5 days for the refund.',
    'The customer wrote "where is my parcel?" and I answered that it is on its way.',
    'The most common question is "can I return it?"',
    'Feel free to reach out any time. Enjoy your new bike!',
    'Your return is booked. Anything else?',
  ],
  devops: [
    'The deploy is done; all 12 checks passed.',
    'Why did it fail? The disk was full. I have deleted the old logs, and the job is green again.',
    'The nightly backup needs a moment. It will be finished by 3 a.m.',
    '## What happened?\n\nThe certificate had expired.\n\n## What did I do?\n\nI renewed it and restarted nginx.',
    'I restarted the pods.\n\n```sh\nread -p "Continue? " answer\n```',
    '> Can you restart it?\n\nDone, it is back up.',
    'Once the cache is warm, the latency goes down.',
    'We need more memory on node-3, so I have ordered it.',
  ],
  clinic: [
    'Your appointment with Dr. Lee is on May 3 at 10:00. See you then!',
    'Take one tablet in the morning, e.g. with breakfast. Get well soon!',
    'The results were sent to your doctor. Should you have any concerns, please call the practice.',
    'We will let you know once you have been put on the list.',
    'I have moved your appointment to Monday. Take care!',
  ],
  coding: [
    'I renamed the function and updated its 4 callers. All tests pass.',
    'The regex `a?` matches an empty string, too.',
    'Use `x ? y : z` here; it is shorter.',
    'Fixed in 3f2a1c. The cause was a missing `await`.',
    "Here is the script:\n\n```python\nname = input('What is your name? ')\n```",
    'The parser now gives the line of the error. Hope that helps!',
    'The function asks the user which file to open and returns its path.',
    'No changes were needed.',
    'If you send more than 5 requests a second, we will answer with 429.',
    'To set it up:\n\n1. Open the settings.\n2. Confirm your e-mail address.\n3. Choose one of the themes.',
    'The report is in `out/`. Want more detail? See `docs/report.md`.',
    'One moment, please.',
  ],
  confirmations: [
    'Your table is confirmed.',
    'I have confirmed both seats with the theatre.',
    'You have verified your phone number.',
    'Confirmed: two seats on Friday.',
    'A confirmation is on its way to your inbox.',
    'I can confirm that the pharmacy is open on Sundays.',
    'We confirm every order by e-mail.',
    'Just to confirm, your parcel has been picked up.',
    'To confirm: I have cancelled the old lease.',
    'To confirm your e-mail address, click the link in our message.',
    'To verify, run the tests again.',
    'To make sure you never miss it, I set a reminder.',
    'To be clear, this is no bug.',
    'Confirming that your refund was issued.',
    'Confirming receipt of your documents.',
    'Confirming the transfer with the bank, one moment.',
    'Let me verify your account.',
    'Let me confirm that for you.',
    'Let me double-check the logs.',
    'Let me double-check everything.',
    'Let me verify the data, then read that file and run it.',
    "Let's make sure we have a backup.",
    'Let me confirm I can reach the server.',
    "I'd like to confirm the details for you.",
    'Let me confirm the details with the hotel and get back to you.',
    'I want to make sure you have a safe trip.',
    "I'd like to confirm that your claim has been approved.",
    'Please check your inbox for the receipt.',
    'Please check the following links for the details.',
    'Please make sure to bring your passport.',
    'Verify that the service is up with `systemctl status`.',
    'It has three modes:\n\n- You want speed.\n- You want safety.\n- Confirm every step.',
    'You want to avoid global state here.',
    'You need Node 20 for this.',
    'You wanted a room with a view, and there is one.',
    'You prefer dark mode, so I have switched it on.',
    "So you're saving 20 dollars a month.",
    'So you are all set.',
    'Yes, that is correct.',
    'How much you pay depends on the plan.',
  ],
  languages: [
    '您的订单已取消。如有其他问题，请随时联系我们。',
    '已完成。还有什么可以帮您的吗？',
    '予約が完了しました。ご不明な点がございましたら、お気軽にお問い合わせください。',
    'Su pedido ha sido cancelado. Si necesita algo más, no dude en escribirnos.',
    "Votre réservation est confirmée. N'hésitez pas à nous contacter. Bonne journée !",
    'Ihr Termin ist gebucht. Falls Sie noch Fragen haben, melden Sie sich gerne.',
    'Preciso de mais tempo, mas o pedido foi enviado.',
    'O pedido foi cancelado. Se precisar de mais alguma coisa, fique à vontade para perguntar.',
    '',
  ],
}

describe('detectAwaiting, from the text of the reply', () => {
  for (const [domain, replies] of Object.entries(asking)) {
    it.each(replies)(`${domain}, waits: %j`, (content) => {
      expect(detectAwaiting(reply(content))).toMatchObject({ awaiting: true })
    })
  }
  for (const [domain, replies] of Object.entries(done)) {
    it.each(replies)(`${domain}, does not: %j`, (content) => {
      expect(detectAwaiting(reply(content))).toMatchObject({ awaiting: false })
    })
  }
})

describe('the reason for awaiting', () => {
  it.each([
    [
      'Your cart has 2 items.\n\n**Would you like to pay now?**\n\n- Card\n- Invoice\n\nThanks!',
      { awaiting: true, reason: 'content_is_question', match: 'Would you like to pay now?' },
    ],
    [
      'I can book that. Please provide your [member](https://example.com/m?x=1) number. It has 8 digits.',
      { awaiting: true, reason: 'content_is_request', match: 'Please provide your member number.' },
    ],
    [
      'Unfortunately, sale items cannot be returned. If you have other questions, let me know!',
      { awaiting: true, reason: 'request_refused', match: 'Unfortunately, sale items cannot be returned.' },
    ],
    [
      'Your order is cancelled. If you need more help, feel free to ask!',
      { awaiting: false, reason: 'completed', match: 'If you need more help, feel free to ask!' },
    ],
    ['Your order is cancelled.', { awaiting: false, reason: 'completed' }],
    [
      'Sure. So you want the van. It has no insurance.',
      { awaiting: true, reason: 'content_is_question', match: 'So you want the van.' },
    ],
    [
      'Verify these details: two nights, one guest.',
      {
        awaiting: true,
        reason: 'content_is_request',
        match: 'Verify these details: two nights, one guest.',
      },
    ],
  ])('names the sentence: %j', (content, verdict) => {
    expect(detectAwaiting(reply(content))).toEqual(verdict)
  })

  it('is the declaration of the agent first', () => {
    const declared = { reason: 'agent_declared' }
    expect(detectAwaiting(reply('Done.', { awaitingInput: true }))).toEqual({ ...declared, awaiting: true })
    expect(detectAwaiting(reply('Really?', { awaitingInput: false }))).toEqual({
      ...declared,
      awaiting: false,
    })
  })

  it.each(['ask_user', 'chat__ask_user', 'chat.ask_user'])('is a tool that asks next: %s', (name) => {
    const verdict = { awaiting: true, reason: 'tool_requires_confirmation', match: name }
    expect(detectAwaiting(reply('Hm.', { toolCalls: [{ id: '1', name, arguments: {} }] }))).toEqual(verdict)
  })

  it('is not a tool with a longer name', () => {
    const toolCalls = [{ id: '1', name: 'task_user', arguments: {} }]
    expect(detectAwaiting(reply('Hm.', { toolCalls }))).toEqual({ awaiting: false, reason: 'completed' })
  })

  it.each(['length', 'tool_calls'])(
    'is the finish reason %s, after which it does not wait',
    (finishReason) => {
      const verdict = { awaiting: false, reason: 'finish_reason', match: finishReason }
      expect(detectAwaiting(reply('Really?', { finishReason }))).toEqual(verdict)
    },
  )
})

describe('createAwaitingDetector with settings', () => {
  const detect = createAwaitingDetector({
    tools: ['open_form'],
    patterns: ['(?i)^over to you'],
    not: ['^Any thoughts\\?$', '(?i)rate (this|our) chat'],
  })

  it.each(['open_form', 'ask_user'])('adds tools to the built-in ones: %s', (name) => {
    const toolCalls = [{ id: '1', name, arguments: {} }]
    expect(detect(reply('', { toolCalls }))).toMatchObject({ reason: 'tool_requires_confirmation' })
  })

  it('adds patterns for sentences that ask', () => {
    const content = 'The draft is ready. Over to you. Thanks!'
    const verdict = { awaiting: true, reason: 'content_is_request', match: 'Over to you.' }
    expect(detect(reply(content))).toEqual(verdict)
    expect(detectAwaiting(reply(content))).toMatchObject({ awaiting: false })
  })

  it('adds patterns for sentences that do not ask', () => {
    expect(detect(reply('All done. Any thoughts?'))).toMatchObject({ awaiting: false })
    expect(detect(reply('Which size? Please rate our chat from 1 to 5.'))).toMatchObject({
      match: 'Which size?',
    })
  })
})

describe('a hostile reply', () => {
  const million = 1_000_000
  it.each([
    ['?', '?'],
    ['words', 'a '],
    ['unclosed quotation marks', '"a '],
    ['line breaks', '\n'],
    ['backticks', '`'],
    ['backticks in lines', '`\n'],
    ['fences that grow', '```\n````\n'],
    ['nested lists', '- - * 1. '],
    ['nested quotes', '> > '],
    ['links', '[a]('],
    ['bold', '**a'],
    ['tags', '<a '],
    ['conditions', 'if you need, '],
    ['needs', 'i need your once you '],
    ['openings', 'okay, so just now '],
    ['confirmations', 'let me make sure you want to confirm, '],
    ['letters', 'a'],
    ['Chinese', '请如果'],
    ['spaces', ' '],
    ['dots', '. . '],
  ])('is read fast: %s', (_, part) => {
    const content = part.repeat(Math.ceil(million / part.length))
    expect(detectAwaiting(reply(content)).reason).toMatch(/^(?:content_is_\w+|completed|request_refused)$/)
    expect(detectAwaiting(reply(`${content}\n\nShall I go on?`))).toMatchObject({ match: 'Shall I go on?' })
  })
})
