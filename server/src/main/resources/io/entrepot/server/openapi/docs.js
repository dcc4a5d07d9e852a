// Shows /v1/openapi.json. Everything is put in as text, never as HTML.
'use strict';

function element(tag, text, className) {
  const one = document.createElement(tag);
  if (text !== undefined) one.textContent = text;
  if (className) one.className = className;
  return one;
}

function table(head, rows) {
  const all = element('table');
  const first = element('tr');
  head.forEach(text => first.append(element('th', text)));
  all.append(first);
  rows.forEach(cells => {
    const row = element('tr');
    cells.forEach(text => row.append(element('td', text)));
    all.append(row);
  });
  return all;
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').pop();
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.type === 'array') return 'list of ' + typeOf(schema.items);
  if (schema.type === 'object' && schema.additionalProperties) return 'names with ' + typeOf(schema.additionalProperties);
  return schema.format ? schema.type + ' (' + schema.format + ')' : schema.type || 'anything';
}

function fields(schema, all, depth) {
  const target = schema.$ref ? all[schema.$ref.split('/').pop()] : schema;
  const rows = [];
  Object.entries(target.properties || {}).forEach(([name, field]) => {
    rows.push(['· '.repeat(depth) + name, typeOf(field) + ((target.required || []).includes(name) ? '' : ', optional'), field.description || '']);
    const inner = field.$ref ? field : field.items && field.items.$ref ? field.items : null;
    if (inner && depth < 3) rows.push(...fields(inner, all, depth + 1));
  });
  return rows;
}

function operation(path, method, it, all) {
  const box = element('details');
  box.id = it.operationId;
  const head = element('summary');
  head.append(element('span', method.toUpperCase(), 'method ' + method), element('code', path), element('span', it.summary), element('span', it['x-access'], 'access'));
  box.append(head);
  box.addEventListener('toggle', () => {
    if (box.open && box.children.length === 1) box.append(details(path, method, it, all));
  });
  box.dataset.text = (method + ' ' + path + ' ' + JSON.stringify(it)).toLowerCase();
  return box;
}

function details(path, method, it, all) {
  const body = element('div', undefined, 'body');
  body.append(element('p', 'Operation ' + it.operationId + (it['x-audited'] ? '; who calls it is written down' : '')));
  if (it.parameters.length) {
    body.append(element('h4', 'Parameters'), table(['name', 'in', 'value', 'what it is for'],
      it.parameters.map(p => [p.name + (p.required ? ' *' : ''), p.in, typeOf(p.schema), p.description])));
  }
  if (it.requestBody) {
    body.append(element('h4', 'Body'), element('p', it.requestBody.description));
    Object.entries(it.requestBody.content).forEach(([type, content]) => {
      body.append(element('p', type));
      if (content.schema) body.append(table(['field', 'value', 'what it is for'], fields(content.schema, all, 0)));
    });
  }
  body.append(element('h4', 'Answers'));
  Object.entries(it.responses).forEach(([status, response]) => {
    body.append(element('p', status + ': ' + response.description));
    Object.entries(response.content || {}).forEach(([type, content]) => {
      if (content.schema && type === 'application/json') body.append(table(['field', 'value', 'what it is'], fields(content.schema, all, 0)));
    });
  });
  body.append(trial(path, method, it, all));
  return body;
}

// Opens what the address names, as /v1/docs#storeFile.
function openNamed() {
  const box = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (box && box.tagName === 'DETAILS') {
    box.open = true;
    box.scrollIntoView();
  }
}

function show(api) {
  document.getElementById('about').textContent = api.info.description;
  const groups = new Map();
  Object.entries(api.paths).forEach(([path, methods]) => Object.entries(methods).forEach(([method, it]) => {
    const group = groups.get(it.tags[0]) || [];
    group.push(operation(path, method, it, api.components.schemas));
    groups.set(it.tags[0], group);
  }));
  const main = document.getElementById('operations');
  main.replaceChildren();
  groups.forEach((boxes, tag) => {
    const section = element('section');
    section.append(element('h2', tag), ...boxes);
    main.append(section);
  });
  document.getElementById('search').addEventListener('input', event => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    main.querySelectorAll('section').forEach(section => {
      let any = false;
      section.querySelectorAll('details').forEach(box => {
        box.hidden = !words.every(word => box.dataset.text.includes(word));
        any = any || !box.hidden;
      });
      section.hidden = !any;
    });
  });
}

window.addEventListener('hashchange', openNamed);
fetch('/v1/openapi.json').then(answer => answer.json()).then(show).then(openNamed, () => {
  document.getElementById('operations').textContent = 'The description cannot be read.';
});
