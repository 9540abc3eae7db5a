import { anything, byType, flag, list, object, oneOf, text, url, whole, type Shape } from './shape.ts';
import { anyText, plainText } from './texts.ts';

// Limits: https://docs.slack.dev/reference/block-kit/block-elements and …/composition-objects, each element's page.

const type = (name: string): Shape => oneOf(name);
const actionId = text(255);
const style = oneOf('primary', 'danger');

const confirm = object({
  title: plainText(100),
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  'style?': style,
});

const option = object({
  text: anyText(75),
  'value?': text(150),
  'description?': anyText(75),
  'url?': url(),
});
const optionGroup = object({ label: plainText(75), options: list(option, 100) });

/** An image by its URL or by a file of the workspace. */
export const image = object({
  type: type('image'),
  alt_text: text(2000),
  'image_url?': url(),
  'slack_file?': object({ 'id?': text(255), 'url?': url() }),
});

const button = object({
  type: type('button'),
  text: plainText(75),
  'action_id?': actionId,
  'url?': url(),
  'value?': text(2000),
  'style?': style,
  'confirm?': confirm,
  'accessibility_label?': text(75),
});

const choice = (name: string, max: number): Shape =>
  object({
    type: type(name),
    options: list(option, max),
    'action_id?': actionId,
    'initial_option?': option,
    'initial_options?': list(option, max),
    'confirm?': confirm,
    'focus_on_load?': flag,
  });

/** A menu or a picker. Its initial value is not checked. */
const picker = (name: string, more: Readonly<Record<string, Shape>> = {}): [string, Shape] => [
  name,
  object({
    type: type(name),
    'action_id?': actionId,
    'placeholder?': plainText(150),
    'confirm?': confirm,
    'focus_on_load?': flag,
    'max_selected_items?': whole,
    ...more,
  }),
];
const menuOf = { 'options?': list(option, 100), 'option_groups?': list(optionGroup, 100) };

const interactive: readonly [string, Shape][] = [
  ['button', button],
  [
    'overflow',
    object({ type: type('overflow'), 'action_id?': actionId, options: list(option, 5), 'confirm?': confirm }),
  ],
  ['checkboxes', choice('checkboxes', 10)],
  ['radio_buttons', choice('radio_buttons', 10)],
  picker('static_select', { ...menuOf, 'initial_option?': option }),
  picker('multi_static_select', { ...menuOf, 'initial_options?': list(option, 100) }),
  picker('external_select', { 'initial_option?': option, 'min_query_length?': whole }),
  picker('multi_external_select', { 'initial_options?': list(option, 100), 'min_query_length?': whole }),
  picker('users_select', { 'initial_user?': text(255) }),
  picker('multi_users_select', { 'initial_users?': anything }),
  picker('conversations_select', {
    'initial_conversation?': text(255),
    'default_to_current_conversation?': flag,
    'filter?': anything,
    'response_url_enabled?': flag,
  }),
  picker('multi_conversations_select', {
    'initial_conversations?': anything,
    'default_to_current_conversation?': flag,
    'filter?': anything,
  }),
  picker('channels_select', { 'initial_channel?': text(255), 'response_url_enabled?': flag }),
  picker('multi_channels_select', { 'initial_channels?': anything }),
  picker('datepicker', { 'initial_date?': text(10) }),
  picker('timepicker', { 'initial_time?': text(5), 'timezone?': text(255) }),
  picker('datetimepicker', { 'initial_date_time?': whole }),
];

/** What stands in an actions block. */
export const action = byType(new Map(interactive));

/** What stands beside a section's text. */
export const accessory = byType(new Map([...interactive, ['image', image]]));

/** What stands in a context block: images and texts. */
export const contextElement: Shape = (value, at, report) => {
  const isImage = typeof value === 'object' && value !== null && 'type' in value && value.type === 'image';
  (isImage ? image : anyText(3000))(value, at, report);
};
