// Calls an operation from the page. The key is read from its field when it is needed, and is kept nowhere.
'use strict';

const SHOWN = 200000;

function key() {
  return document.getElementById('key').value.trim();
}

// A value to begin with: what is required, and nothing else.
function example(schema, all) {
  if (schema.$ref) return example(all[schema.$ref.split('/').pop()], all);
  if (schema.anyOf) return example(schema.anyOf[0], all);
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum || 0, 1);
  if (type === 'boolean') return false;
  if (type === 'array') return [example(schema.items || {}, all)];
  if (type === 'object') {
    const object = {};
    (schema.required || []).forEach(name => { object[name] = example(schema.properties[name], all); });
    return object;
  }
  return '';
}

function labelled(text, input) {
  const label = element('label');
  label.append(element('span', text), input);
  return label;
}

function quoted(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

function trial(path, method, it, all) {
  const form = element('form', undefined, 'trial');
  form.append(element('h4', 'Try it'));
  const inputs = it.parameters.map(parameter => {
    const input = element('input');
    input.name = parameter.name;
    input.placeholder = typeOf(parameter.schema);
    input.required = parameter.required;
    if (parameter.name === 'tenant' && parameter.in === 'path') input.value = 'default';
    form.append(labelled(parameter.name + (parameter.required ? ' *' : ''), input));
    return { parameter, input };
  });
  const types = Object.keys((it.requestBody || { content: {} }).content);
  const json = types.includes('application/json');
  let body = null;
  if (types.length) {
    body = element(json ? 'textarea' : 'input');
    if (json) {
      body.value = JSON.stringify(example(it.requestBody.content['application/json'].schema || {}, all), null, 2);
      body.rows = Math.min(12, body.value.split('\n').length + 1);
    } else {
      body.type = 'file';
    }
    body.name = 'body';
    form.append(labelled('body', body));
  }
  const send = element('button', 'Send ' + method.toUpperCase());
  const stop = element('button', 'Stop');
  stop.type = 'button';
  stop.hidden = true;
  const line = element('pre', '', 'curl');
  const status = element('p', '', 'status');
  status.setAttribute('role', 'status');
  const heads = element('pre', '', 'heads');
  const answer = element('pre', '', 'answer');
  heads.hidden = answer.hidden = true;
  form.append(send, stop, line, status, heads, answer);

  function asked() {
    let url = path;
    const query = [];
    const headers = {};
    inputs.forEach(({ parameter, input }) => {
      if (parameter.in === 'path') url = url.replace('{' + parameter.name + '}', encodeURIComponent(input.value));
      else if (input.value === '') return;
      else if (parameter.in === 'query') query.push(encodeURIComponent(parameter.name) + '=' + encodeURIComponent(input.value));
      else headers[parameter.name] = input.value;
    });
    if (query.length) url += '?' + query.join('&');
    let content;
    if (body && json && body.value.trim() !== '') {
      content = body.value;
      headers['Content-Type'] = 'application/json';
    } else if (body && !json && body.files.length) {
      content = body.files[0];
      headers['Content-Type'] = types.includes('application/offset+octet-stream') ? 'application/offset+octet-stream' : 'application/octet-stream';
    }
    return { url, headers, content };
  }

  function tell() {
    const { url, headers, content } = asked();
    const words = ['curl'];
    if (method === 'head') words.push('-I');
    else if (method !== 'get' && !(method === 'post' && content)) words.push('-X ' + method.toUpperCase());
    if (it.security.length) words.push('-H "Authorization: Bearer $KEY"');
    Object.entries(headers).forEach(([name, value]) => words.push('-H ' + quoted(name + ': ' + value)));
    if (typeof content === 'string') words.push('-d ' + quoted(content.replace(/\s*\n\s*/g, ' ')));
    else if (content) words.push('--data-binary ' + quoted('@' + content.name));
    words.push(quoted(location.origin + url));
    line.textContent = words.join(' ');
  }

  async function show(got) {
    const kind = got.headers.get('content-type') || '';
    heads.textContent = [...got.headers].map(([name, value]) => name + ': ' + value).join('\n');
    heads.hidden = false;
    if (kind.startsWith('application/octet-stream')) {
      const bytes = await got.blob();
      answer.textContent = bytes.size + ' bytes. ';
      const link = element('a', 'Save');
      link.href = URL.createObjectURL(bytes);
      link.download = decodeURIComponent(((got.headers.get('content-disposition') || '').match(/filename\*=UTF-8''([^;]+)/) || [])[1] || 'content');
      answer.append(link);
    } else if (got.body) {
      const reader = got.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        text = (text + part.value).slice(-SHOWN);
        answer.hidden = false;
        answer.textContent = text;
      }
      if (kind.includes('json') && text !== '') answer.textContent = JSON.stringify(JSON.parse(text), null, 2);
    }
    answer.hidden = answer.textContent === '';
  }

  form.addEventListener('input', tell);
  form.addEventListener('submit', async event => {
    event.preventDefault();
    if (it.security.length && key() === '') {
      status.textContent = 'This call needs a key: put it in at the top of the page.';
      return;
    }
    const { url, headers, content } = asked();
    if (it.security.length) headers.Authorization = 'Bearer ' + key();
    const control = new AbortController();
    stop.onclick = () => control.abort();
    send.disabled = true;
    stop.hidden = false;
    heads.hidden = answer.hidden = true;
    answer.textContent = '';
    status.textContent = 'Waiting …';
    const began = performance.now();
    try {
      const got = await fetch(url, { method: method.toUpperCase(), headers, body: content, signal: control.signal, cache: 'no-store', credentials: 'omit' });
      status.textContent = got.status + ' after ' + Math.round(performance.now() - began) + ' ms';
      status.className = 'status ' + (got.ok ? 'good' : 'bad');
      await show(got);
    } catch (e) {
      if (control.signal.aborted) status.textContent += ' · stopped';
      else {
        status.textContent = 'No answer: ' + e.message;
        status.className = 'status bad';
      }
    } finally {
      send.disabled = false;
      stop.hidden = true;
    }
  });
  tell();
  return form;
}

// Says at once whether a key is one.
document.getElementById('key').addEventListener('change', async () => {
  const who = document.getElementById('who');
  if (key() === '') {
    who.textContent = 'The key stays in this page and is forgotten with it.';
    return;
  }
  try {
    const got = await fetch('/v1/me', { headers: { Authorization: 'Bearer ' + key() }, cache: 'no-store', credentials: 'omit' });
    const me = await got.json();
    who.textContent = got.ok ? 'Calls are made as “' + me.name + '”: ' + me.scopes.join(', ') : me.detail;
  } catch (e) {
    who.textContent = 'The server does not answer.';
  }
});
