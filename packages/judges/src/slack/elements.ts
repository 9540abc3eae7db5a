/** Limits: https://docs.slack.dev/reference/block-kit/block-elements and …/composition-objects, each element's page. */
import { anything, byType, flag, list, object, oneOf, someOf, text, typed, url, whole } from './shape.ts';
import { richText } from './richtext.ts';
import { anyText, plainText } from './texts.ts';
import type { Shape } from './walk.ts';

type Entry = ReturnType<typeof typed>;

const id = text(255);
const label = text(75);
const value = text(2000, 0);
const style = oneOf('primary', 'danger');

const confirm = object({
  'title?': plainText(100),
  text: anyText(300),
  'confirm?': plainText(30),
  'deny?': plainText(30),
  'style?': style,
});

const option = object({
  text: anyText(75),
  'value?': text(150, 0),
  'description?': anyText(75),
  'url?': url,
});
const options = (most: number) => list(option, most);

/** The fields that an image has as a block and as an element. */
export const imageFields = {
  alt_text: text(2000),
  'image_url?': url,
  'slack_file?': object({ 'id?': id, 'url?': url }),
};
export const imageSource = someOf('image_url', 'slack_file');
const imageEntry = typed('image', imageFields, imageSource);
export const image = byType('an image', imageEntry);

const action = { 'action_id?': id, 'confirm?': confirm };
const look = { 'style?': style, 'accessibility_label?': label };

const buttonEntry = typed('button', {
  text: plainText(75),
  'url?': url,
  'value?': value,
  ...look,
  ...action,
});
export const button = byType('a button', buttonEntry);

/** A menu, a picker or an input. Its initial value is not checked. */
const field = (type: string, more: Readonly<Record<string, Shape>> = {}): Entry =>
  typed(type, {
    'placeholder?': plainText(150),
    'focus_on_load?': flag,
    'max_selected_items?': whole(1),
    ...action,
    ...more,
  });

const optionGroup = object({ label: plainText(75), options: options(100) });
const menu = { 'options?': options(100), 'option_groups?': list(optionGroup, 100) };
const filter = { 'default_to_current_conversation?': flag, 'filter?': anything };
const response = { 'response_url_enabled?': flag };
const query = { 'min_query_length?': whole() };
const initial = (name: string, shape: Shape = anything) => ({ [`initial_${name}?`]: shape });

const choices: readonly Entry[] = [
  field('checkboxes', { options: options(10), ...initial('options') }),
  field('radio_buttons', { options: options(10), ...initial('option') }),
  field('static_select', { ...menu, ...initial('option', option) }),
  field('multi_static_select', { ...menu, ...initial('options', options(100)) }),
  field('external_select', { ...query, ...initial('option', option) }),
  field('multi_external_select', { ...query, ...initial('options', options(100)) }),
  field('users_select', initial('user', id)),
  field('multi_users_select', initial('users')),
  field('conversations_select', { ...filter, ...response, ...initial('conversation', id) }),
  field('multi_conversations_select', { ...filter, ...initial('conversations') }),
  field('channels_select', { ...response, ...initial('channel', id) }),
  field('multi_channels_select', initial('channels')),
  field('datepicker', initial('date', text(10))),
  field('timepicker', { ...initial('time', text(5)), 'timezone?': id }),
  field('datetimepicker', initial('date_time', whole())),
];

/** https://docs.slack.dev/reference/block-kit/composition-objects/workflow-object */
const workflow = object({ trigger: object({ url, 'customizable_input_parameters?': anything }) });
const interactive: readonly Entry[] = [
  buttonEntry,
  typed('overflow', { options: options(5), ...action }),
  typed('workflow_button', { text: plainText(75), workflow, ...look, ...action }),
  ...choices,
];

const dispatch = { 'dispatch_action_config?': anything };
const richTextInput = field('rich_text_input', {
  ...dispatch,
  ...initial('value', byType('a rich text', richText)),
  'min_lines?': whole(),
  'max_lines?': whole(),
});
const typing = (type: string, more: Readonly<Record<string, Shape>> = {}): Entry =>
  field(type, { ...dispatch, ...initial('value', text(Infinity, 0)), ...more });

/** What stands in an actions block. */
export const actionElement = byType('an action', ...interactive, richTextInput);

/** What stands beside a section's text. */
export const accessory = byType('an accessory', ...interactive, imageEntry);

/** What an input block asks for. */
export const input = byType(
  'an input',
  ...choices,
  richTextInput,
  typing('plain_text_input', {
    'multiline?': flag,
    'min_length?': whole(0, 3000),
    'max_length?': whole(1, 3000),
  }),
  typing('email_text_input'),
  typing('url_text_input'),
  typing('number_input', { is_decimal_allowed: flag, 'min_value?': id, 'max_value?': id }),
  typed('file_input', { 'filetypes?': anything, 'max_files?': whole(1, 10), 'action_id?': id }),
);

const feedback = object({ text: plainText(75), value, 'accessibility_label?': label });

/** What stands in a context_actions block. */
export const contextAction = byType(
  'a context action',
  typed('feedback_buttons', { positive_button: feedback, negative_button: feedback, 'action_id?': id }),
  typed('icon_button', {
    icon: id,
    text: plainText(Infinity),
    'value?': value,
    'accessibility_label?': label,
    'visible_to_user_ids?': anything,
    ...action,
  }),
);

/** A source of a task. */
export const source = byType('a source', typed('url', { url, text: text(Infinity) }));

const contextText = anyText(3000);

/** What stands in a context block: images and texts. */
export const contextElement = byType(
  'a context element',
  imageEntry,
  ['mrkdwn', contextText],
  ['plain_text', contextText],
);
