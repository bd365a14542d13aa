"""What the API of the project cannot make: a token key, an authenticator app, a proved address."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes  # noqa: E402
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from rest_framework.authtoken.models import Token  # noqa: E402

users = get_user_model().objects
ada, ben = users.get(username="ada"), users.get(username="ben")

EmailAddress.objects.exclude(user__username="eve").update(verified=True)
secret = generate_totp_secret()
TOTP.activate(ben, secret)
codes = RecoveryCodes.activate(ben).get_unused_codes()

print(json.dumps({"token": Token.objects.create(user=ada).key, "secret": secret, "codes": codes}))
