from django.urls import include, path
from django.views.generic import TemplateView

urlpatterns = [
    path("auth/", include("dj_rest_auth.urls")),
    path("auth/registration/", include("dj_rest_auth.registration.urls")),
    # The address in the mail, which belongs to the front end.
    path("reset/<uidb64>/<token>/", TemplateView.as_view(), name="password_reset_confirm"),
]
