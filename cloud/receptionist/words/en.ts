// What the receptionist says and understands in English.
import type { SpokenWords } from './spoken-words.ts'

const NUMBER =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty'
const DAY = 'today|tonight|tomorrow|(?:this |next )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const CLOCK = `(?:at|around|about) (?:noon|midnight|half past (?:${NUMBER})|(?:\\d{1,2}(?::?\\d{2})?|${NUMBER})(?: (?:thirty|fifteen|forty five|\\d{2}))?)(?: ?(?:am|pm|a m|p m|oclock|in the (?:morning|afternoon|evening)))?|noon|midnight`
const WHEN = `(?:on )?(?:${DAY}|${CLOCK})`

export const EN: SpokenWords = {
  tag: 'en-US',
  means: {
    person:
      /\b(person|human|humans|agent|operator|representative|manager|somebody|someone|receptionist|staff|employee|owner|speak (to|with)|talk (to|with)|put me through|transfer me)\b/,
    putThrough:
      /\b(speak|talk|real|human|agent|operator|representative|manager|somebody|someone|put me through|transfer)\b|^(a )?person$/,
    allergy:
      /\b(allerg(y|ies|ic|en|ens)|anaphyla\w*|celiac|coeliac|epipen|intoleran(t|ce)|gluten free|nut free|lactose)\b/,
    complaint:
      /\b(complain|complaint|complaints|refund|money back|disgusting|terrible|awful|horrible|unacceptable|food poisoning|got sick|made me sick|wrong order|order (is|was) wrong|order (is|was) missing|order (is|was) late|never (came|arrived|got)|still waiting|cold food|food (is|was) cold|lawyer|overcharged)\b/,
    payment:
      /\b(my (credit |debit )?card( number)? is|card number|take my card|(pay|payment) (now|(by|over the|on the) (phone|telephone))|pay (you )?with my card)\b/,
    message: /\b(leave (a |you )?(message|voicemail)|voicemail|voice mail|take a message)\b|^message$/,
    goodbye:
      /^(no|nope|no thanks?|no thank you|thats all|thats it|no thats (all|it)|nothing( else)?|bye|good ?bye|thank you|thanks)( thank you| thanks| bye| goodbye)*$|\b(bye|goodbye)$/,
    table: /\b(book(ing)?|reserve|reservations?|(a|any|have|get) tables?|table for)\b|^tables?$/,
    bookedTable:
      /\b(cancel|change|move|reschedule|confirm|modify)\b.{0,20}\b(reservation|booking|table)\b|\b(my|our|the|existing) (reservation|booking)\b|(?<!\b(can|could|may) )\b(i|we) (already |just )?(have|had|made) an? (reservation|booking)\b|\brunning late\b/,
    order: new RegExp(
      `\\b(order|orders|ordering|takeout|take out|to go|pick ?up|take ?away)\\b|\\b(?:i want|i would like|id like|can i (?:get|have)|could i (?:get|have)|ill have|let me (?:get|have)) (?:an?|some|the|\\d{1,2}|${NUMBER})\\b`,
    ),
    aroundOrder:
      /\b(hi|hello|please|yes|i|id|ill|me|want|wanna|would|like|to|can|could|may|need|get|have|let|make|place|put|in|an?|my|some|food|order|orders|ordering|something|takeout|takeaway|take|out|away|go|for|pickup|pick|up|the|from|you|now|it|do)\b/g,
    repeat: /\b(repeat|say (that|it) again|once more|what did you say|pardon|come again|menu)\b/,
    question:
      /^(um |uh |so |hi |hello |hey |and |well )*(do|does|did|is|are|what|whats|when|whens|where|wheres|how|hows|who|which|why|till|until|can you|could you|can i (park|bring|pay|order online))\b/,
    hours:
      /\b(open|opens|opening|opened|close(?! to)|closes|closed|closing|hours|(what|which) times?|until when|how late|how early|business hours)\b/,
    thisNumber:
      /\b(?:(?:you can )?call me )?(?:(?:at|on) )?(?:this|the same) (?:number|one)(?: is (?:fine|good|ok|okay))?\b/,
    today: /\b(today|tonight|now|right now|currently|this (morning|afternoon|evening)|still)\b/,
    tomorrow: /\btomorrow\b/,
    party: new RegExp(
      `\\b(?:(?:for|of|are|be|table for) (\\d{1,2}|${NUMBER})(?! ?(?:am|pm|oclock|thirty|fifteen|:))\\b|(\\d{1,2}|${NUMBER}) (?:people|persons?|guests?|adults?|of us))`,
    ),
    onlyMe: /\b(just|only) me\b|\bmyself\b|\balone\b/,
    when: new RegExp(`\\b${WHEN}(?:.*\\b(?:${WHEN})\\b)?`),
    beforeName:
      /^(hi |hello |um |uh |yes )*(its |it is |this is |my name is |the name is |name is |im |i am |under |for )+/,
  },
  numbers: {
    zero: 0,
    one: 1,
    two: 2,
    couple: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    dozen: 12,
    thirteen: 13,
    fourteen: 14,
    fifteen: 15,
    sixteen: 16,
    seventeen: 17,
    eighteen: 18,
    nineteen: 19,
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    seventy: 70,
    eighty: 80,
    ninety: 90,
  },
  weekdays: {
    monday: 'Monday',
    tuesday: 'Tuesday',
    wednesday: 'Wednesday',
    thursday: 'Thursday',
    friday: 'Friday',
    saturday: 'Saturday',
    sunday: 'Sunday',
  },
  stopWords: new Set(
    'a about am an and any are around as at be been can could did do does for from get give go got had has have hello hey hi how i id if ill im in is it its just know let like may me much my need now of off on one or our please sell serve so some tell than thank thanks that thats the their them there they theres thing think this to uh um us use very want was we well were what whats when where wheres which who why will with would yes you your youre place somewhere something anything'.split(
      ' ',
    ),
  ),
  hints: ['person', 'message', 'table', 'opening hours', 'yes', 'no'],

  menu: (entries) => entries.map(({ digit, label }) => `For ${label}, press ${digit}.`).join(' '),
  howCanIHelp: 'How can I help you?',
  askFreely: 'You can also just tell me how I can help.',
  anythingElse: 'Is there anything else?',
  notHeard: 'Sorry, I did not hear you.',
  notUnderstood: 'Sorry, I did not understand that.',
  oneMoment: 'One moment, please.',
  stillThinking: 'Just a little longer.',
  transferring: 'I am connecting you now.',
  nobodyNow: 'Sorry, nobody can take your call at the moment.',
  noMessages: 'Nobody can take a message now. Please call again later.',
  leaveMessage: 'Please leave your name and your message after the tone. Hang up when you are done.',
  thanksForMessage: 'Thank you. We have your message. Goodbye.',
  goodbye: 'Thank you for calling. Goodbye.',
  noPayment: 'Please do not say card numbers. We do not take payment by telephone. You can pay when you come.',
  noOrdersNow: 'We take no orders right now.',
  orderStart: 'Gladly. What would you like to order?',
  tableName: 'Gladly. What is your name?',
  tableParty: 'For how many people? Say it, or press the keys and then pound.',
  tableTime: 'For which day and what time?',
  tableNumber: (isKnown) =>
    isKnown
      ? 'May we call you back at the number that you are calling from? Say yes, or another number. You can also press its keys, and then pound.'
      : 'At which telephone number can we reach you? Say it, or press its keys and then pound.',
  tableDone: ({ name, party, wanted }) =>
    `Thank you, ${name}. I have noted a table for ${party}, ${wanted}. It is not booked yet: we will confirm it.`,
  whisper: 'A call from the receptionist.',
  faultTransfer: 'We have a technical problem. I am connecting you now.',
  fault: 'Sorry, we have a technical problem. Please call again later.',

  time: (clock) => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number)
    if (minute === 0 && hour % 24 === 0) return 'midnight'
    if (minute === 0 && hour === 12) return 'noon'
    return `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`} ${hour < 12 ? 'AM' : 'PM'}`
  },
  span: (from, to) => `from ${from} to ${to}`,
  and: 'and',
  isOpen: (until) => (until === null ? 'We are open now.' : `We are open now, until ${until}.`),
  isClosed: (opens) =>
    opens === null ? 'We are closed now.' : `We are closed now. We open ${opens.day} at ${opens.at}.`,
  openOn: (day, spans) => `We are open ${day} ${spans}.`,
  closedOn: (day) => `We are closed ${day}.`,
  through: (first, last) => `${first} to ${last}`,
  week: (parts) => `We are open ${parts}.`,
  today: 'today',
  tomorrow: 'tomorrow',
  on: (weekday) => `on ${weekday}`,
  onHoliday: (name) => `on ${name}`,
}
