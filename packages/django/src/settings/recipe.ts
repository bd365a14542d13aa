/**
 * Writes the settings of a Django project to a file, together with versions, URL patterns and the
 * user model. Everything is inside one function, because in older versions of Django the functions of
 * `shell -c` cannot see its global names. It works with Django 2 to 5.
 */
export const RECIPE = `python manage.py shell -c "
def dump():
    import json, os
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.urls import get_resolver

    def attempt(find):
        try:
            return find()
        except Exception:
            return None

    def version(name):
        try:
            from importlib.metadata import version
            return version(name)
        except ImportError:
            from pkg_resources import get_distribution
            return get_distribution(name).version

    def view(callback):
        known = getattr(callback, 'view_class', None) or getattr(callback, 'cls', None) or callback

        def named(classes):
            return [
                getattr(one, '__module__', '') + '.' + getattr(one, '__qualname__', '')
                for one in classes
            ]

        names = named(getattr(known, '__mro__', [known]))
        adapter = getattr(known, 'adapter_class', None)
        return {
            'views': [one for one in names if not one.startswith(('builtins.', 'django.'))],
            'provider': getattr(adapter, 'provider_id', None),
            'callback_url': getattr(known, 'callback_url', None),
            'permissions': attempt(lambda: named(known.permission_classes)),
        }

    def urls(patterns, before):
        found = []
        for one in patterns:
            path = before + str(one.pattern)
            if hasattr(one, 'url_patterns'):
                found += urls(one.url_patterns, path)
            else:
                found.append(dict(view(one.callback), path=path, name=one.name))
        return found

    def user():
        model = get_user_model()
        return {
            'pk': model._meta.pk.get_internal_type(),
            'username_field': model.USERNAME_FIELD,
            'fields': [one.name for one in model._meta.get_fields()],
        }

    def social_signup():
        from allauth.socialaccount.adapter import get_adapter
        from django.test import RequestFactory
        return bool(get_adapter().is_open_for_signup(RequestFactory().get('/'), None))

    def plain(value):
        return list(value) if isinstance(value, (set, frozenset)) else str(value)

    found = {name: getattr(settings, name) for name in dir(settings) if name.isupper()}
    packages = ['Django', 'dj-rest-auth', 'django-rest-auth', 'django-allauth']
    found['latchkey'] = {
        'versions': {name: attempt(lambda: version(name)) for name in packages},
        'urls': attempt(lambda: urls(get_resolver().url_patterns, '')),
        'user': attempt(user),
        'social_signup': attempt(social_signup),
    }
    private = os.open('django-settings.json', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(private, 'w') as file:
        json.dump(found, file, default=plain, skipkeys=True)
    print('Wrote django-settings.json')

dump()
"`
