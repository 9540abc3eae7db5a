import type { MessageItem } from '@hnotif/core/page';
import { linkTo, parseAddress, formatAddress, useSetting } from '../address.ts';
import { Choice } from '../common/choice.tsx';
import { Check, Filters, Find } from '../common/filters.tsx';
import { exactTime } from '../common/time.ts';
import { useStore } from '../common/use-store.ts';
import { Answer } from './answer.tsx';
import { MessageView } from './message-view.tsx';

const RECEIVERS: Readonly<Record<MessageItem['receiver'], string>> = {
  webhook: 'Webhook',
  teamchat: 'Slack',
  botchat: 'Telegram',
  msteams: 'Microsoft Teams',
};

/** What arrived at the receivers, the newest first, and one of it in full. */
export function Messages({ id }: { readonly id: string | undefined }) {
  const store = useStore();
  const [receiver, setReceiver] = useSetting('receiver');
  const [text, setText] = useSetting('find');
  const [refused, setRefused] = useSetting('refused');
  const onlyRefused = refused === '1';
  if (!store.head.hasMessages) return <NoMessages />;
  const { query } = parseAddress(location.hash);
  const now = store.now();
  const wanted = text.trim().toLowerCase();
  const shown = store.messages
    .filter((each) => receiver === '' || each.receiver === receiver)
    .filter(({ accepted }) => !onlyRefused || !accepted)
    .filter((each) => wanted === '' || `${each.to} ${each.text}`.toLowerCase().includes(wanted))
    .reverse();
  return (
    <div class="messages">
      <div class="inbox">
        <Filters>
          <Choice
            label="Receiver"
            value={receiver}
            options={[['', 'all'], ...Object.entries(RECEIVERS)]}
            onChange={setReceiver}
          />
          <Find value={text} onChange={setText} />
          <Check
            label="only refused"
            checked={onlyRefused}
            onChange={(checked) => {
              setRefused(checked ? '1' : '');
            }}
          />
        </Filters>
        {shown.length === 0 && <p class="empty">Nothing has arrived that is like that.</p>}
        <ul aria-label="Messages">
          {shown.map((item) => (
            <li key={item.id}>
              <a
                href={formatAddress({ view: 'messages', rest: [item.id], query })}
                aria-current={item.id === id ? 'true' : undefined}
              >
                <span class="faint">{exactTime(item.at, now)}</span> <b>{RECEIVERS[item.receiver]}</b>{' '}
                {item.to} <Answer item={item} />
                <span class="line">{item.text}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
      <div class="message">
        {id === undefined ? (
          <p class="empty">Choose a message.</p>
        ) : (
          <MessageView id={id} now={now} version={lastAbout(id, store.messages)} />
        )}
      </div>
    </div>
  );
}

/** The newest request that may have changed a message: one to the same channel, chat or sink. */
function lastAbout(id: string, messages: readonly MessageItem[]): MessageItem | undefined {
  const of = messages.find((each) => each.id === id);
  return messages.findLast(({ receiver, to }) => receiver === of?.receiver && to === of.to);
}

function NoMessages() {
  return (
    <div class="prose">
      <h2>Messages</h2>
      <p>The cluster keeps no messages: they are at the receivers.</p>
      <ul>
        <li>
          <a href={linkTo('why')}>Where is it?</a> shows what became of each event at each sink.
        </li>
        <li>
          <a href={linkTo('template')}>Template</a> shows the message that an event becomes.
        </li>
        <li>
          <code>hnotif dev</code> has receivers of its own, so this page shows their messages.
        </li>
      </ul>
    </div>
  );
}
